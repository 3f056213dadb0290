"""CUDABench-Score and its company over any selection of cases.

CUDABench-Score = (1/N) sum over all N selected cases of [compiled and correct] x Performance-Score. The speed-of-light
score is summed in the same way. A score is null, with the reason, if the verdict or the measurement of any selected
case is missing: a mean over what happens to be there would reward not running the hard cases.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from report.outcome import Outcome, Verdict
from report.plural import plural

KINDS = ("performance", "speed_of_light")
SCALES = ("tiny", "small", "medium", "large", "huge")


@dataclass(frozen=True)
class Score:
    cases: int  # the denominator: every selected case of the manifest
    ran: int  # cases whose verdict is known
    built: int  # cases whose candidate the compiler has judged, whether they ran or not
    compiled: int  # of those that were built
    correct: int  # of those that ran
    not_run: int
    stale: int
    corrupt: int
    unmeasured: int  # correct, but without a time
    performance: float | None  # CUDABench-Score
    speed_of_light: float | None
    reason: str | None  # why the scores are null

    @property
    def compiled_rate(self) -> float | None:
        return self.compiled / self.built if self.built else None

    @property
    def correct_rate(self) -> float | None:
        return self.correct / self.ran if self.ran else None


@dataclass(frozen=True)
class MacroMean:
    """The mean over domains of the domains' scores: a domain with many similar tasks does not outweigh the others."""

    domains: int
    performance: float | None
    speed_of_light: float | None
    reason: str | None


def score(outcomes: Sequence[Outcome]) -> Score:
    count = {verdict: sum(o.verdict is verdict for o in outcomes) for verdict in Verdict}
    built = [o for o in outcomes if _built(o)]
    unmeasured = sum(o.correct and o.score("performance") is None for o in outcomes)
    counts = {
        "did not run": count[Verdict.NOT_RUN],
        "stale": count[Verdict.STALE],
        "corrupt": count[Verdict.CORRUPT],
        "correct but not timed": unmeasured,
    }
    missing = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    reason = f"of {plural(len(outcomes), 'case')} {missing}" if missing else None
    return Score(
        cases=len(outcomes),
        ran=sum(o.ran for o in outcomes),
        built=len(built),
        compiled=sum(_compiled(o) for o in built),
        correct=count[Verdict.PASS],
        not_run=count[Verdict.NOT_RUN],
        stale=count[Verdict.STALE],
        corrupt=count[Verdict.CORRUPT],
        unmeasured=unmeasured,
        performance=None if reason else _mean(outcomes, "performance"),
        speed_of_light=None if reason else _mean(outcomes, "speed_of_light"),
        reason=reason,
    )


def group(outcomes: Sequence[Outcome], key: Callable[[Outcome], str]) -> dict[str, list[Outcome]]:
    """The outcomes by key, keys in order (scales by size)."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    order = {scale: index for index, scale in enumerate(SCALES)}
    return {name: groups[name] for name in sorted(groups, key=lambda name: (order.get(name, 0), name))}


def macro_mean(outcomes: Sequence[Outcome]) -> MacroMean:
    scores = {name: score(members) for name, members in group(outcomes, lambda o: o.case.domain).items()}
    null = [name for name, s in scores.items() if s.reason]
    if null:
        return MacroMean(len(scores), None, None, f"no score for {', '.join(null)}")
    means = {kind: fmean(getattr(s, kind) for s in scores.values()) for kind in KINDS}
    return MacroMean(len(scores), **means, reason=None)


def _built(outcome: Outcome) -> bool:
    """Compiling takes no GPU. What stale and corrupt cases tell is of another source, or unreadable."""
    return outcome.ran or (outcome.verdict is Verdict.NOT_RUN and outcome.stage == "not_run")


def _compiled(outcome: Outcome) -> bool:
    """A wrong signature is found by the compiler but is no error of the language: the contract stage."""
    return outcome.stage != "compile"


def _mean(outcomes: Sequence[Outcome], kind: str) -> float:
    return fmean(outcome.score(kind) or 0.0 for outcome in outcomes)
