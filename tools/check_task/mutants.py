"""References with one mistake each: every one must be refused at an edge shape or at tiny, as a candidate would be."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from generator.definition import Task

from .argued import Argued
from .examiner import Examiner, PerformanceFailure, Trial
from .mutation.bundle import Bundles
from .mutation.rules import Mutation, chosen, mutations
from .reference import rounded

COUNT = 14
FEWEST = 6
FEWEST_KINDS = 4
_SHORTEST_LIMIT = 5.0  # seconds
_TIMES_THE_REFERENCE = 20


@dataclass
class Graded:
    mutation: Mutation
    refused: str | None = None  # where and how
    error: float = 0.0  # at tiny, first seed, in units of what is just accepted


def check_mutants(
    task: Task, examiner: Examiner, bundles: Bundles, argued: Argued, count: int = COUNT
) -> tuple[list[dict[str, Any]], list[str]]:
    """For the result file, and what is wrong. `examiner`: on the CPU, where a fault ends nothing."""
    source = task.reference_path.read_text(encoding="utf-8")
    order = chain.from_iterable(chosen(mutations(task, source), count))
    graded: list[Graded] = []
    while len(graded) < count and (some := list(islice(order, count - len(graded)))):
        graded += grade_mutants(task, examiner, bundles, some)
    entries, wrong = [], []
    for one in graded:
        before, after = one.mutation.change(source)
        entry = {"name": one.mutation.name, "line": one.mutation.line(source), "before": before, "after": after}
        # What is equivalent, but slow, may be ended at the time limit on a slow machine.
        reason = argued.mutant(one.mutation.name) if not one.refused or one.refused.endswith(": launch") else None
        entries.append(entry | {"refused": None if reason else one.refused})
        if one.mutation.kind == "rounding":
            entries[-1]["error"] = rounded(one.error)
        if reason:
            entries[-1]["because"] = reason
        elif not one.refused:
            place = f"{task.reference_path.name}:{entry['line']}"
            wrong.append(f"the mutant {one.mutation.name!r} is accepted: {place}: {before}   ->   {after}")
    kinds = {one.mutation.kind for one in graded}
    if len(graded) < FEWEST or len(kinds) < FEWEST_KINDS:
        wrong.append(f"{len(graded)} mutants of {len(kinds)} kinds; {FEWEST} of {FEWEST_KINDS} are needed")
    return entries, wrong


def grade_mutants(task: Task, examiner: Examiner, bundles: Bundles, some: list[Mutation]) -> list[Graded]:
    """Those that compile. Raises CompileError if it cannot be told which do."""
    source = task.reference_path.read_text(encoding="utf-8")
    named = {f"mutant_{number}_of_the_reference": mutation for number, mutation in enumerate(some)}
    variants = {name: mutation.apply(source) for name, mutation in named.items()}
    with bundles.compiled(task, source, variants) as (module, names):
        graded = {name: Graded(named[name]) for name in names}
        for trial in _trials(task):
            since = time.monotonic()
            examiner.open(task, trial)
            limit = max(_SHORTEST_LIMIT, _TIMES_THE_REFERENCE * (time.monotonic() - since))
            measured = trial.shape is task.scales[0] and not trial.integers
            for name, one in graded.items():
                if one.refused is None or (measured and one.mutation.kind == "rounding"):
                    _perform(one, examiner, trial, module, f"cudabench_call_{name}", limit)
        return list(graded.values())


def _perform(one: Graded, examiner: Examiner, trial: Trial, module: Any, function: str, limit: float) -> None:
    try:
        judgement = examiner.perform(module, function, limit)
    except PerformanceFailure as failure:
        one.refused = one.refused or f"{trial.name}: {failure.stage}"
        return
    if not judgement.passed:
        one.refused = one.refused or f"{trial.name}: values"
    if trial.shape.name == "tiny":
        one.error = max(one.error, judgement.error)


def _trials(task: Task) -> list[Trial]:
    """As a case has them."""
    edges = [Trial(edge, number % 2 == 1) for number, edge in enumerate(task.edges)]
    return [*edges, Trial(task.scales[0], False), Trial(task.scales[0], True)]
