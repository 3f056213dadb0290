"""Answers that are no computation, or leave something out. Each must be refused by at least one seed of a scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from generator.definition import Shape, Task

from .argued import Argued
from .examiner import Arrays, Examiner, Opened, Trial
from .oracle import oracle
from .reference import rounded

NOTHING_WRITTEN = "nothing written"
_SEEDS_SEEN = 4


@dataclass
class _Seen:
    """What became of a null model in the trials so far."""

    refused: bool = False
    identical: bool = True  # to the right answer, in every trial
    error: float = 0.0  # with the first seed, in units of what is just accepted


def check_null_models(task: Task, examiner: Examiner, argued: Argued, scale: Shape) -> tuple[dict[str, Any], list[str]]:
    """For the result file, and the accepted ones for which no reason is given."""
    seen: dict[str, _Seen] = {}
    others = {integers: examiner.open(task, Trial(scale, integers, 1)) for integers in (False, True)}
    of_edge = examiner.open(task, Trial(task.edges[-1], False))
    means = {integers: _mean_of_seeds(task, examiner, scale, integers) for integers in (False, True)}
    for integers in (False, True):
        opened = examiner.open(task, Trial(scale, integers))
        answers = dict(null_models(task, opened, others[integers], of_edge)) | {"mean of other seeds": means[integers]}
        for name, answer in answers.items():
            # A bound grows with the terms of a sum: only the smallest scale must tell a rounded result.
            if _is_rounding(name) and scale is not task.scales[0]:
                continue
            judgement = examiner.judge(task, answer)
            state = seen.setdefault(name, _Seen())
            state.refused |= not judgement.passed
            if not integers:  # with the second seed no error at all may be allowed
                state.error = judgement.error
            state.identical &= bool(answer) and all(
                np.array_equal(values, opened.expected[name], equal_nan=True) for name, values in answer.items()
            )
    entries, wrong = {}, []
    for name, state in seen.items():
        entries[name] = {"refused": state.refused, "error": rounded(state.error)}
        if state.refused:
            continue
        if state.identical and _is_rounding(name):
            entries[name]["because"] = "it changes nothing: all values have few enough bits"
        elif reason := argued.null_model(name):
            entries[name]["because"] = reason
        else:
            wrong.append(f"the null model {name!r} passes both seeds at {scale.name}")
    return entries, wrong


def _mean_of_seeds(task: Task, examiner: Examiner, scale: Shape, integers: bool) -> Arrays:
    """What one would answer who had seen some answers."""
    seen = [examiner.open(task, Trial(scale, integers, number)).expected for number in range(1, 1 + _SEEDS_SEEN)]
    return {name: np.mean([answer[name].astype(np.float64) for answer in seen], axis=0) for name in seen[0]}


def null_models(task: Task, opened: Opened, another: Opened, of_edge: Opened) -> Iterator[tuple[str, Arrays]]:
    """Name and answer. `another`: the same shape and distribution, other values."""
    truth = opened.expected
    first = next(iter(opened.inputs.values()))

    def every(change: Callable[[np.ndarray], np.ndarray]) -> Arrays:
        return {name: np.asarray(change(values)).reshape(values.shape) for name, values in truth.items()}

    yield NOTHING_WRITTEN, {}
    yield "zeros", every(np.zeros_like)
    yield "ones", every(np.ones_like)
    if any(values.dtype.kind == "f" for values in truth.values()):
        yield "NaN", every(lambda values: np.full(values.shape, np.nan) if values.dtype.kind == "f" else values)
    if any(values.size > 1 for values in truth.values()):  # else it is the answer
        yield "mean", every(lambda values: np.full(values.shape, values.astype(np.float64).mean()))
    yield "input copied", every(lambda values: np.resize(first, values.shape))
    yield "another seed", another.expected
    yield (
        "another shape",
        {name: np.resize(of_edge.expected[name], values.shape) for name, values in truth.items()},
    )
    yield "first half", every(lambda values: _cut(values, values.size // 2))
    yield "all but the last element", every(lambda values: _cut(values, values.size - 1))
    if any(values.ndim > 1 for values in truth.values()):
        yield "all but the last row", every(lambda values: _cut(values, values.size - values.shape[-1]))
    yield "all but the last 256", every(lambda values: _cut(values, max(0, values.size - 256)))
    for output in truth if len(truth) > 1 else ():
        yield f"{output} not written", {name: values for name, values in truth.items() if name != output}
    yield from _inputs_ignored(task, opened)
    yield from _roundings(task, opened)


def _cut(values: np.ndarray, keep: int) -> np.ndarray:
    shortened = values.copy().reshape(-1)
    shortened[keep:] = 0
    return shortened


def _inputs_ignored(task: Task, opened: Opened) -> Iterator[tuple[str, Arrays]]:
    """Each input in turn taken as ones, and as zeros. Where that is no input at all the oracle may fail."""
    for name, values in opened.inputs.items():
        for number, word in enumerate(("zeros", "ones")):
            try:
                answer = oracle(task)({**opened.inputs, name: np.full_like(values, number)}, opened.trial.shape)
            except Exception:  # any error: the oracle was given what its task rules out
                continue
            yield f"{name} taken as {word}", answer


def _is_rounding(name: str) -> bool:
    return name.startswith(("results in", "inputs in"))


_ROUNDINGS = {"fp16": 11, "bf16": 8}  # significant bits; tf32 has those of fp16


def _roundings(task: Task, opened: Opened) -> Iterator[tuple[str, Arrays]]:
    for kind, bits in _ROUNDINGS.items():
        yield f"results in {kind}", {name: _rounded(values, bits) for name, values in opened.expected.items()}
        try:
            inputs = {name: _rounded(values, bits) for name, values in opened.inputs.items()}
            yield f"inputs in {kind}", oracle(task)(inputs, opened.trial.shape)
        except Exception:  # e.g. indices that are none any more
            continue


def _rounded(values: np.ndarray, bits: int) -> np.ndarray:
    """To significant bits, in the values' own type."""
    fraction, exponent = np.frexp(values.astype(np.float64))
    with np.errstate(over="ignore", invalid="ignore"):
        result = np.ldexp(np.rint(fraction * 2**bits) / 2**bits, exponent)
    if values.dtype.kind in "iu":
        limits = np.iinfo(values.dtype)
        result = np.clip(result, limits.min, np.nextafter(float(limits.max), 0) if limits.max > 2**53 else limits.max)
    return result.astype(values.dtype)
