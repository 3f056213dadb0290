"""Honest candidates: none may be refused, whatever the seed.

They are the reference with `float` in place of `double`, the project's examples that are right, and the sources in
checks/<domain>/<task>/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.definition import Task

from .argued import folder_of
from .examiner import Examiner, PerformanceFailure, Trial
from .mutation.bundle import Bundles, CompileError
from .mutation.source import code_of
from .reference import rounded

SINGLE = "reference in single precision"
LARGEST_ERROR = 0.8  # of what is just accepted: others have other orders of operations
_EXAMPLES = ("naive", "good")
_DOUBLE = re.compile(r"\b(?P<type>double)\b|(?<![\w.])(?:\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])")


@dataclass
class Honest:
    name: str
    module: Path
    function: str = "cudabench_call"
    error: float = 0.0
    failure: str | None = None


@contextmanager
def honest_kernels(task: Task, bundles: Bundles) -> Iterator[tuple[list[Honest], list[str]]]:
    """Those that compile, and what is wrong."""
    kernels: list[Honest] = []
    wrong: list[str] = []
    with ExitStack() as stack:
        reference = task.reference_path.read_text(encoding="utf-8")
        if single := single_precision(reference):
            name = "in_single_precision"
            module, names = stack.enter_context(bundles.compiled(task, reference, {name: single}))
            kernels += [Honest(SINGLE, module, f"cudabench_call_{name}")] if names else []
        for name, path in sources(task).items():
            try:
                kernels.append(Honest(name, stack.enter_context(bundles.alone(task, path))))
            except CompileError as error:
                wrong.append(f"the honest {name} does not compile: {error}")
        if not sources(task):
            wrong.append(f"there is no honest candidate: put a plain one into {folder_of(task)}/")
        yield kernels, wrong


def check_honest(
    task: Task, examiner: Examiner, kernels: Sequence[Honest], seeds: int
) -> tuple[dict[str, Any], list[str]]:
    """The largest error of each in units of what is just accepted, and what is wrong."""
    for trial in _trials(task, seeds):
        if any(kernel.failure is None for kernel in kernels):
            examiner.open(task, trial)
        for kernel in kernels:
            if kernel.failure is None:
                _perform(kernel, examiner, trial)
    wrong = []
    for kernel in kernels:
        if kernel.failure:
            wrong.append(f"the honest {kernel.name} is refused: {kernel.failure}")
        elif kernel.error > LARGEST_ERROR:
            wrong.append(
                f"the honest {kernel.name} has an error of {kernel.error:.2g} of what is just accepted; more than "
                f"{LARGEST_ERROR} leaves others no room"
            )
    return {"seeds": seeds, "error": {kernel.name: rounded(kernel.error) for kernel in kernels}}, wrong


def count_work(task: Task, examiner: Examiner, kernels: Sequence[Honest]) -> dict[str, Mapping[str, int]]:
    """What each executes at tiny, but for those that fail. `examiner`: on the CPU."""
    counted = {}
    examiner.open(task, Trial(task.scales[0], False))
    for kernel in kernels:
        with suppress(PerformanceFailure):
            counts = examiner.perform(kernel.module, kernel.function).counts
            counted |= {kernel.name: counts} if counts else {}
    return counted


def sources(task: Task) -> dict[str, Path]:
    """Files of honest candidates by name."""
    examples = task.path.parents[2] / "candidates" / "examples"
    found = {}
    for folder in (*(examples / name for name in _EXAMPLES), folder_of(task)):
        for path in sorted(folder.glob("*.cu")):
            if folder == folder_of(task) or path.stem.split("@")[0] == task.name:
                found[f"{folder.name}/{path.name}"] = path
    return found


def single_precision(source: str) -> str | None:
    """None if it is the same, or if a prototype has double arguments."""
    code = code_of(source)
    signature = re.search(r"\bsolve\s*\(([^)]*)\)\s*\{", code)
    if "double" not in code or (signature and "double" in signature[1]):
        return None
    for match in reversed(list(_DOUBLE.finditer(code))):
        text = "float" if match["type"] else f"{match[0]}f"
        source = source[: match.start()] + text + source[match.end() :]
    return source


def _trials(task: Task, seeds: int) -> list[Trial]:
    """Tiny with both seeds, and edges in turn, all of them at least once."""
    tiny = [Trial(task.scales[0], integers, number) for number in range(seeds) for integers in (False, True)]
    edges = [
        Trial(task.edges[number % len(task.edges)], number // len(task.edges) % 2 == 1, number)
        for number in range(max(seeds, len(task.edges)))
    ]
    return [*edges, *tiny]


def _perform(kernel: Honest, examiner: Examiner, trial: Trial) -> None:
    try:
        judgement = examiner.perform(kernel.module, kernel.function)
    except PerformanceFailure as failure:
        kernel.failure = f"{trial.name}, number {trial.number}: {failure}"
        return
    kernel.error = max(kernel.error, judgement.error)
    if not judgement.passed:
        kernel.failure = f"{trial.name}, number {trial.number}: values, {judgement.error:.3g} of what is allowed"
