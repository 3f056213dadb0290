"""A task as its file states it, with every expression evaluated for each scale and edge shape."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path

from .ctype import DTYPES, Argument

SCALES = ("tiny", "small", "medium", "large", "huge")
WORK_FIELDS = ("fp32", "fp64", "tensor", "sfu", "int32", "read_bytes", "write_bytes")


@dataclass(frozen=True)
class Distribution:
    """How an input's values are drawn; the meaning of the fields is in harness/case/task.h.

    `a` and `b` are expressions in a task file's inputs, and numbers in a shape.
    """

    kind: str
    a: str | float
    b: str | float
    drift: bool
    needle_probability: float
    needle_factor: float


@dataclass(frozen=True)
class Check:
    """What an output is compared by, as harness/case/task.h says.

    `terms` is an expression; `magnitude` says in words what the reference's function of this name computes.
    """

    kind: str  # exact or bounded
    terms: str | float
    magnitude: str
    factor: float
    rms_factor: float
    ulps: float
    exact_on_integers: bool


@dataclass(frozen=True)
class Array:
    """A device array: `shape` is the list of its extents, outermost first, as expressions; rows are contiguous."""

    name: str
    dtype: str
    shape: tuple[str | int, ...]
    about: str

    @property
    def element_bytes(self) -> int:
        return DTYPES[self.dtype][1]


@dataclass(frozen=True)
class Input(Array):
    values: Distribution
    integers: Distribution


@dataclass(frozen=True)
class Output(Array):
    check: Check


@dataclass(frozen=True)
class Param:
    """A constant that candidates get as a scalar argument."""

    name: str
    written: float
    type: str

    @property
    def value(self) -> float:
        """As the argument's C type holds it: candidates, references and oracles compute with this one."""
        return struct.unpack("f", struct.pack("f", self.written))[0] if self.type == "float" else self.written


@dataclass(frozen=True)
class Prototype:
    arguments: tuple[Argument, ...]

    def __str__(self) -> str:
        return f"void solve({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Work:
    """Operations by pipe and DRAM bytes."""

    fp32: float
    fp64: float
    tensor: float
    sfu: float
    int32: float
    read_bytes: float
    write_bytes: float


@dataclass(frozen=True)
class Shape:
    """A scale or an edge shape; the tuples follow the order of dims, inputs and outputs of the task."""

    name: str
    dims: tuple[int, ...]
    input_extents: tuple[tuple[int, ...], ...]
    input_values: tuple[Distribution, ...]
    input_integers: tuple[Distribution, ...]
    output_extents: tuple[tuple[int, ...], ...]
    output_terms: tuple[float, ...]
    floor: Work
    model: Work

    @property
    def input_elements(self) -> tuple[int, ...]:
        return tuple(map(prod, self.input_extents))

    @property
    def output_elements(self) -> tuple[int, ...]:
        return tuple(map(prod, self.output_extents))


@dataclass(frozen=True)
class Prompt:
    """The parts of a prompt that the task file writes: a text a level, and the rules that all levels state."""

    levels: Mapping[int, str]
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Task:
    name: str
    domain: str
    path: Path
    title: str
    aliases: tuple[str, ...]
    source: str
    tensor_admitted: bool
    dims: tuple[str, ...]
    params: tuple[Param, ...]
    prototypes: tuple[Prototype, ...]  # the main one first
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    scales: tuple[Shape, ...]
    edges: tuple[Shape, ...]
    prompt: Prompt
    hash: str  # of task file, reference and oracle

    @cached_property
    def reference_path(self) -> Path:
        return reference_path(self.path)

    @cached_property
    def oracle_path(self) -> Path:
        return oracle_path(self.path)

    @property
    def bounded(self) -> bool:
        """Whether an output is compared within a bound, so that the reference must define `magnitude`."""
        return any(output.check.kind == "bounded" for output in self.outputs)

    def bytes_in_and_out(self, shape: Shape) -> int:
        arrays = (*self.inputs, *self.outputs)
        counts = (*shape.input_elements, *shape.output_elements)
        return sum(array.element_bytes * count for array, count in zip(arrays, counts, strict=True))

    def bytes_of_case(self, shape: Shape) -> int:
        """Inputs and four times the outputs: the candidate's, the sealed copy, the reference's and their magnitudes."""
        outputs = zip(self.outputs, shape.output_elements, strict=True)
        return self.bytes_in_and_out(shape) + 3 * sum(output.element_bytes * count for output, count in outputs)


def reference_path(task_file: Path) -> Path:
    """A task set is a folder with tasks/<domain>/<task>.toml and references/<domain>/<task>.cu."""
    return task_file.parents[2] / "references" / task_file.parent.name / f"{task_file.stem}.cu"


def oracle_path(task_file: Path) -> Path:
    return task_file.parents[2] / "references" / "oracles" / f"{task_file.parent.name}.py"
