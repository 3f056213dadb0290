"""Honest candidates: none may be refused, whatever the seed.

They are the reference with `float` in place of `double`, the project's examples that are right, and the sources in
checks/<domain>/<task>/.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
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
class _Variant:
    name: str
    module: Path
    function: str = "cudabench_call"
    error: float = 0.0
    failure: str | None = None


def check_honest(task: Task, examiner: Examiner, bundles: Bundles, seeds: int) -> tuple[dict[str, Any], list[str]]:
    """The largest error of each in units of what is just accepted, and what is wrong."""
    wrong: list[str] = []
    with ExitStack() as stack:
        variants = _variants(task, bundles, stack, wrong)
        for trial in _trials(task, seeds):
            if any(variant.failure is None for variant in variants):
                examiner.open(task, trial)
            for variant in variants:
                if variant.failure is None:
                    _perform(variant, examiner, trial)
    for variant in variants:
        if variant.failure:
            wrong.append(f"the honest {variant.name} is refused: {variant.failure}")
        elif variant.error > LARGEST_ERROR:
            wrong.append(
                f"the honest {variant.name} has an error of {variant.error:.2g} of what is just accepted; more than "
                f"{LARGEST_ERROR} leaves others no room"
            )
    if not any(variant.name != SINGLE for variant in variants):
        wrong.append(f"there is no honest candidate: put a plain one into {folder_of(task)}/")
    return {"seeds": seeds, "error": {variant.name: rounded(variant.error) for variant in variants}}, wrong


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


def _variants(task: Task, bundles: Bundles, stack: ExitStack, wrong: list[str]) -> list[_Variant]:
    variants = []
    reference = task.reference_path.read_text(encoding="utf-8")
    if single := single_precision(reference):
        name = "in_single_precision"
        module, names = stack.enter_context(bundles.compiled(task, reference, {name: single}))
        variants += [_Variant(SINGLE, module, f"cudabench_call_{name}")] if names else []
    for name, path in sources(task).items():
        try:
            variants.append(_Variant(name, stack.enter_context(bundles.alone(task, path))))
        except CompileError as error:
            wrong.append(f"the honest {name} does not compile: {error}")
    return variants


def _trials(task: Task, seeds: int) -> list[Trial]:
    """Tiny with both seeds, and edges in turn, all of them at least once."""
    tiny = [Trial(task.scales[0], integers, number) for number in range(seeds) for integers in (False, True)]
    edges = [
        Trial(task.edges[number % len(task.edges)], number // len(task.edges) % 2 == 1, number)
        for number in range(max(seeds, len(task.edges)))
    ]
    return [*edges, *tiny]


def _perform(variant: _Variant, examiner: Examiner, trial: Trial) -> None:
    try:
        judgement = examiner.perform(variant.module, variant.function)
    except PerformanceFailure as failure:
        variant.failure = f"{trial.name}, number {trial.number}: {failure}"
        return
    variant.error = max(variant.error, judgement.error)
    if not judgement.passed:
        variant.failure = f"{trial.name}, number {trial.number}: values, {judgement.error:.3g} of what is allowed"
