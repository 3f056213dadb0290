"""The oracle of a task, called as docs/task-authoring.md says."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from generator.definition import Shape, Task

Arrays = dict[str, np.ndarray]


class OracleError(Exception):
    """An oracle that cannot be used; the text says why."""


def oracle(task: Task) -> Callable[[Arrays, Shape], Arrays]:
    """Raises OracleError."""
    function = _function(task)
    params = {param.name: param.value for param in task.params}

    def call(inputs: Arrays, shape: Shape) -> Arrays:
        with np.errstate(all="ignore"):
            result = function(inputs, dict(zip(task.dims, shape.dims, strict=True)), params)
        _check(task, shape, result)
        return result

    return call


def source_of(task: Task) -> str:
    """The text of the oracle's function, without those of other tasks in the file."""
    return inspect.getsource(_function(task))


def _function(task: Task) -> Callable[..., Arrays]:
    function = getattr(_module(task.oracle_path), task.name, None)
    if function is None:
        raise OracleError(f"{task.oracle_path}: has no function {task.name}")
    return function


@cache
def _module(path: Path) -> object:
    spec = importlib.util.spec_from_file_location(f"oracle_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _check(task: Task, shape: Shape, result: Arrays) -> None:
    names = {output.name for output in task.outputs}
    if set(result) != names:
        raise OracleError(f"the oracle returns {sorted(result)}; the outputs are {sorted(names)}")
    for output, extents in zip(task.outputs, shape.output_extents, strict=True):
        array = result[output.name]
        if array.dtype != np.float64:
            raise OracleError(f"the oracle returns {output.name} as {array.dtype}; it must be float64")
        if array.shape != extents:
            raise OracleError(
                f"the oracle returns {output.name} of shape {array.shape}; at {shape.name} it is {extents}"
            )
