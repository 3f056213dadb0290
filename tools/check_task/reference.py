"""The reference against the oracle."""

from __future__ import annotations

from typing import Any

from generator.definition import Task

from .examiner import Examiner, PerformanceFailure, Trial
from .oracle import oracle

SEEDS = 3


def trials(task: Task, seeds: int) -> list[Trial]:
    """Tiny and all edges, with the inputs of both seeds."""
    shapes = (task.scales[0], *task.edges)
    return [Trial(shape, integers, number) for shape in shapes for integers in (False, True) for number in range(seeds)]


def check_reference(task: Task, examiner: Examiner, seeds: int = SEEDS) -> tuple[dict[str, Any], list[str]]:
    """The largest error by shape, in units of what is just accepted, and what is wrong."""
    errors: dict[str, float] = {}
    wrong = []
    stated = oracle(task)
    for trial in trials(task, seeds):
        try:
            opened = examiner.open(task, trial)
        except PerformanceFailure as failure:
            wrong.append(f"the reference fails at {trial.name}: {failure}")
            continue
        judgement = examiner.judge(task, stated(opened.inputs, trial.shape))
        if not judgement.passed:
            wrong.append(f"reference and oracle differ at {trial.name}, by {judgement.error:.3g} of what is allowed")
        errors[trial.shape.name] = max(errors.get(trial.shape.name, 0.0), judgement.error)
    return {"seeds": seeds, "error": {name: rounded(error) for name, error in errors.items()}}, wrong


def rounded(value: float) -> float | str:
    """Two digits: what the oracle's libraries do with the last bits differs between machines."""
    return "infinite" if value == float("inf") else float(f"{value:.2g}")
