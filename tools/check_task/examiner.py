"""A process that performs references and candidates on single sets of inputs: cudabench_examiner."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from generator.definition import Array, Shape, Task

Arrays = dict[str, np.ndarray]


class ExaminerFault(Exception):
    """The process, not the task, is at fault."""


class PerformanceFailure(Exception):
    """What was performed failed; the text says in which stage and why."""

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(f"stage {stage}: {message}")
        self.stage = stage


@dataclass(frozen=True)
class Trial:
    """One set of inputs. The same for the same task, shape and number, so that results repeat."""

    shape: Shape
    integers: bool  # inputs of the second seed
    number: int = 0

    def seed(self, task: Task) -> int:
        text = f"{task.name} {self.shape.name} {self.integers} {self.number}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    @property
    def name(self) -> str:
        return f"{self.shape.name}, {'second' if self.integers else 'first'} seed"


@dataclass(frozen=True)
class Opened:
    """A trial's inputs, and what the reference makes of them."""

    trial: Trial
    inputs: Arrays
    expected: Arrays


@dataclass(frozen=True)
class Judgement:
    """Of the outputs of one answer together."""

    passed: bool
    ratio: float  # largest error in units of the allowed one
    rms: float  # root mean square of the error in units of its limit
    counts: Mapping[str, int] | None = None  # of what was performed on the CPU: harness/executor/cpu/counts.h

    @property
    def error(self) -> float:
        """In units of what is just accepted."""
        return max(self.ratio, self.rms)


class Examiner:
    """Close it."""

    def __init__(self, build: Path, *, use_gpu: bool = True) -> None:
        """`build`: a build tree whose grading tools are built."""
        program = build / "bin" / "cudabench_examiner"
        self._folder = tempfile.TemporaryDirectory(prefix="cudabench_check_")
        self._process = subprocess.Popen(
            [program, "--tasks", build / "cudabench_tasks" / "tasks.json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(os.environ) | ({} if use_gpu else {"CUDABENCH_EXECUTOR": "cpu"}),
        )
        self.device: str = self._read()["device"]

    def open(self, task: Task, trial: Trial) -> Opened:
        """Raises PerformanceFailure if the reference fails."""
        seed = f"{trial.seed(task):#x}"
        request = {"do": "open", "task": task.name, "shape": trial.shape.name, "seed": seed}
        self._ask({**request, "integers": trial.integers, "folder": self._folder.name})
        inputs = self._arrays("input", task.inputs, trial.shape.input_extents)
        return Opened(trial, inputs, self._arrays("expected", task.outputs, trial.shape.output_extents))

    def judge(self, task: Task, answer: Mapping[str, np.ndarray]) -> Judgement:
        """Of an answer to the inputs that were opened last. An output that it lacks counts as never written."""
        files = {}
        for output in task.outputs:
            if output.name in answer:
                path = Path(self._folder.name) / f"answer.{output.name}"
                as_dtype(answer[output.name], output.dtype).tofile(path)
                files[output.name] = str(path)
        return _judgement(self._ask({"do": "judge", "answers": files}))

    def perform(self, module: Path, function: str = "cudabench_call", seconds: float = 120.0) -> Judgement:
        """Of what a candidate makes of the inputs that were opened last, with races and uninitialised reads as failures
        on the CPU. Raises PerformanceFailure."""
        request = {"do": "perform", "module": str(module), "function": function, "seconds": seconds}
        return _judgement(self._ask(request))

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        self._folder.cleanup()

    def _arrays(self, kind: str, arrays: tuple[Array, ...], extents: tuple[tuple[int, ...], ...]) -> Arrays:
        return {
            array.name: np.fromfile(Path(self._folder.name) / f"{kind}.{array.name}", array.dtype).reshape(shape)
            for array, shape in zip(arrays, extents, strict=True)
        }

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        reply = self._read()
        if "error" in reply:
            raise ExaminerFault(reply["error"])
        if "failure" in reply:
            raise PerformanceFailure(**reply["failure"])
        return reply

    def _read(self) -> dict[str, Any]:
        line = self._process.stdout.readline()
        if not line:
            raise ExaminerFault(f"{os.fspath(self._process.args[0])} ended with {self._process.wait()}")
        return json.loads(line)


@contextlib.contextmanager
def examiner(build: Path, *, use_gpu: bool = True) -> Iterator[Examiner]:
    one = Examiner(build, use_gpu=use_gpu)
    try:
        yield one
    finally:
        one.close()


def as_dtype(values: np.ndarray, dtype: str) -> np.ndarray:
    """Whole numbers are kept within their type: an answer may be any."""
    if np.issubdtype(dtype, np.integer) and not np.issubdtype(values.dtype, np.integer):
        limits = np.iinfo(dtype)
        values = np.rint(np.clip(np.nan_to_num(values.astype(np.float64), nan=-1), limits.min, limits.max))
        if limits.max > 2**53:  # the largest double would be rounded up
            values = np.where(values >= float(limits.max), np.nextafter(float(limits.max), 0), values)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.ascontiguousarray(values.astype(dtype))


def _judgement(reply: dict[str, Any]) -> Judgement:
    outputs = reply["outputs"].values()

    def largest(name: str) -> float:
        return max(float("inf") if output[name] is None else output[name] for output in outputs)

    passed = all(output["passed"] for output in outputs)
    return Judgement(passed, largest("ratio"), largest("rms"), reply.get("counts"))
