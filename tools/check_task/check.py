"""All checks of one task, in the order in which they are useful."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from generator.definition import Task

from .argued import read_argued
from .examiner import Examiner, examiner
from .honest import check_honest, count_work, honest_kernels
from .mutants import check_mutants
from .mutation.bundle import Bundles, CompileError
from .null_models import check_null_models
from .oracle import OracleError
from .prompts import check_prompts
from .reference import SEEDS, check_reference
from .result import Result, identity
from .sizes import check_sizes
from .work import check_work

_SCALES_ON_GPU = 3  # null models there; results on file are those of tiny, which every machine can find


class Checker:
    """Close it."""

    def __init__(self, build: Path, *, seeds: int, quick: bool) -> None:
        """`build`: a build tree whose grading tools are built. `seeds`: of honest candidates. `quick`: neither
        mutants nor honest kernels, and one seed."""
        self._stack = ExitStack()
        self._examiner = self._stack.enter_context(examiner(build))
        # Mutants fault, which a context of a GPU does not survive.
        on_cpu = self._examiner.device == "CPU"
        self._on_cpu: Examiner = self._examiner if on_cpu else self._stack.enter_context(examiner(build, use_gpu=False))
        self._bundles = None if quick else Bundles(build)
        self._seeds = seeds

    def check(self, task: Task) -> Result:
        """Raises ExaminerFault and ArguedError."""
        argued = read_argued(task)
        result = Result(task, identity(task))
        result.wrong += check_prompts(task)
        result.add("sizes", check_sizes(task))
        try:
            result.add("reference", check_reference(task, self._examiner, SEEDS if self._bundles else 1))
            result.add("null_models", check_null_models(task, self._examiner, argued, task.scales[0]))
            if self._examiner is not self._on_cpu:
                for scale in task.scales[1:_SCALES_ON_GPU]:
                    result.wrong += check_null_models(task, self._examiner, argued, scale)[1]
            if self._bundles:
                result.add("mutants", check_mutants(task, self._on_cpu, self._bundles, argued))
                with honest_kernels(task, self._bundles) as (kernels, wrong):
                    result.wrong += wrong
                    result.add("honest", check_honest(task, self._examiner, kernels, self._seeds))
                    result.add("work", check_work(task, count_work(task, self._on_cpu, kernels), argued))
                result.wrong += argued.unused()
        except (OracleError, CompileError) as error:
            result.wrong.append(str(error))
        return result

    def close(self) -> None:
        self._stack.close()
