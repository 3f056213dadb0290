"""Bootstrap intervals of the scores: whole tasks resampled within their domain, percentile method.

Tasks, not cases, are the unit: scales and candidates of a task share its difficulty, and the question is how the
score would move had other tasks of the same domains been chosen.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from report.outcome import Outcome
from report.score import group

LEVEL = 0.95
REPLICATES = 2000


@dataclass(frozen=True)
class Interval:
    low: float | None
    high: float | None
    reason: str | None  # why there is none


@dataclass(frozen=True)
class Intervals:
    mean: Interval
    macro_mean: Interval


_Sums = list[list[tuple[float, int]]]  # per domain, per task: sum of scores and number of cases


def intervals(outcomes: Sequence[Outcome], kind: str, seed: int) -> Intervals:
    """Of the mean and of the macro mean of `kind`; every outcome must have a score."""
    domains = _sums(outcomes, kind)
    if all(len(tasks) == 1 for tasks in domains):
        none = Interval(None, None, "every domain has a single task")
        return Intervals(none, none)
    chance = random.Random(seed)
    means, macro_means = [], []
    for _ in range(REPLICATES):
        replicate = [_pool(chance.choices(tasks, k=len(tasks))) for tasks in domains]
        total, count = _pool(replicate)
        means.append(total / count)
        macro_means.append(fmean(domain_total / domain_count for domain_total, domain_count in replicate))
    return Intervals(_percentiles(means), _percentiles(macro_means))


def _sums(outcomes: Sequence[Outcome], kind: str) -> _Sums:
    return [
        [
            (sum(o.score(kind) or 0.0 for o in members), len(members))
            for members in group(domain, lambda o: o.case.task).values()
        ]
        for domain in group(outcomes, lambda o: o.case.domain).values()
    ]


def _pool(parts: Sequence[tuple[float, int]]) -> tuple[float, int]:
    return sum(total for total, _ in parts), sum(count for _, count in parts)


def _percentiles(values: list[float]) -> Interval:
    values.sort()
    tail = (1 - LEVEL) / 2
    return Interval(_quantile(values, tail), _quantile(values, 1 - tail), None)


def _quantile(ordered: Sequence[float], q: float) -> float:
    """Linear between order statistics (type 7 of Hyndman and Fan 1996)."""
    place = q * (len(ordered) - 1)
    below = min(int(place), len(ordered) - 2)
    return ordered[below] + (place - below) * (ordered[below + 1] - ordered[below])
