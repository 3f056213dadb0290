"""From a task file to a Task: what may stand where, and that the parts agree with each other."""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise
from pathlib import Path

from .arrays import read_input, read_output
from .ctype import PARAM_TYPES
from .definition import SCALES, WORK_FIELDS, Array, Param, Prompt, Shape, Task, oracle_path, reference_path
from .errors import TaskError
from .expression import FUNCTION_NAMES
from .prototypes import read_prototypes
from .shapes import evaluate_shape
from .table import Table, read_toml

SOURCES = ("cudabench", "cublas", "vllm", "aten", "own")
CASE_BYTES = 8 * 10**9  # a case fits in a GPU of 12 GB, where 4 GB are the candidate's workspace

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_FILE_NAME = re.compile(r"[a-z][a-z0-9_]*")


def read_task(path: Path) -> Task:
    """Raises TaskError."""
    path = Path(path).absolute()
    _check_file_name(path)
    table = read_toml(path)
    domain = table.choice("domain", [path.parent.name])
    dims = _read_dims(table.table("dims"))
    params = _read_params(table.table("params", optional=True))
    inputs = tuple(read_input(row) for row in table.tables("input"))
    outputs = tuple(read_output(row) for row in table.tables("output"))
    _check_names(table, dims, params, (*inputs, *outputs))
    edges = _read_edges(table, list(dims))
    greatest = {dim: max(*dims[dim], *(edge[2][i] for edge in edges)) for i, dim in enumerate(dims)}
    prototypes = read_prototypes(table, greatest, params, inputs, outputs)
    work = _read_work(table.table("work"))
    constants = {param.name: param.written for param in params}

    def shape(name: str, place: str, values: tuple[int, ...]) -> Shape:
        named = dict(zip(dims, values, strict=True))
        return evaluate_shape(path, place, name, named, constants, inputs, outputs, work)

    columns = zip(SCALES, zip(*dims.values(), strict=True), strict=True)
    task = Task(
        name=path.stem,
        domain=domain,
        path=path,
        title=table.text("title"),
        aliases=_read_aliases(table),
        source=table.choice("source", SOURCES),
        tensor_admitted=table.flag("tensor", False),
        dims=tuple(dims),
        params=params,
        prototypes=prototypes,
        inputs=inputs,
        outputs=outputs,
        scales=tuple(shape(scale, f"dims at scale {scale}", column) for scale, column in columns),
        edges=tuple(shape(*edge) for edge in edges),
        prompt=_read_prompt(table.table("prompt")),
        hash=_hash(path),
    )
    table.finish()
    _check_sizes(table, task)
    return task


def _check_file_name(path: Path) -> None:
    for part in (path.stem, path.parent.name):
        if not _FILE_NAME.fullmatch(part):
            raise TaskError(path, "", f"the name {part!r} cannot be used", "allowed: small letters, digits and _")


def _read_aliases(table: Table) -> tuple[str, ...]:
    aliases = table.texts("aliases", [])
    for index, alias in enumerate(aliases):
        if not _NAME.fullmatch(alias):
            table.fail(f"aliases[{index}]", f"is {alias!r}", "allowed: a letter, then letters, digits and _")
    return tuple(aliases)


def _read_dims(table: Table) -> dict[str, list[int]]:
    dims = {}
    for name in table.names():
        values = table.wholes(name)
        if len(values) != len(SCALES):
            table.fail(name, f"has {len(values)} values", f"must have five, one a scale: {', '.join(SCALES)}")
        if min(values) < 1:
            table.fail(name, f"has the value {min(values)}", "sizes are at least 1")
        dims[name] = values
    if not dims:
        table.fail("", "has no entry", "at least one size, e.g. N = [1, 2, 3, 4, 5]")
    return dims


def _read_params(table: Table) -> tuple[Param, ...]:
    params = []
    for name in table.names():
        row = table.table(name)
        kind = row.choice("type", PARAM_TYPES)
        value = row.whole("value") if kind == "int" else row.number("value")
        row.finish()
        if abs(value) > PARAM_TYPES[kind]:
            row.fail("value", f"is {value}", f"{kind} holds at most {PARAM_TYPES[kind]}")
        params.append(Param(name, value, kind))
    return tuple(params)


def _check_names(
    table: Table, dims: dict[str, list[int]], params: tuple[Param, ...], arrays: tuple[Array, ...]
) -> None:
    seen: set[str] = set()
    for name in (*dims, *(param.name for param in params), *(array.name for array in arrays)):
        if not _NAME.fullmatch(name):
            table.fail("", f"the name {name!r} cannot be used", "allowed: a letter, then letters, digits and _")
        if name in FUNCTION_NAMES:
            table.fail("", f"the name {name!r} is that of a function", "rename it")
        if name in seen:
            table.fail("", f"the name {name!r} stands for two things", "dims, params, inputs and outputs share names")
        seen.add(name)


def _read_work(table: Table) -> dict[str, dict[str, str | float]]:
    work = {}
    for part in ("floor", "model"):
        rows = table.table(part)
        work[part] = {field: rows.expression(field, None if field.endswith("_bytes") else "0") for field in WORK_FIELDS}
        rows.finish()
    table.finish()
    return work


def _read_edges(table: Table, dims: list[str]) -> list[tuple[str, str, tuple[int, ...]]]:
    """Name, place in the file, and sizes of each."""
    edges = []
    seen: dict[str, str] = {}
    for row in table.tables("edge", fewest=3):
        values = tuple(row.whole(dim) for dim in dims)
        row.finish()
        if min(values) < 1:
            row.fail("", f"has the size {min(values)}", "sizes are at least 1")
        name = "edge_" + "x".join(map(str, values))
        if name in seen:
            row.fail("", f"is the same as {seen[name]}", "each edge shape stands once")
        seen[name] = row.place
        edges.append((name, row.place, values))
    return edges


def _read_prompt(table: Table) -> Prompt:
    levels = {level: table.text(f"level{level}").strip() for level in (1, 2, 3)}
    for level, text in levels.items():
        if not text:
            table.fail(f"level{level}", "is empty", "must be a text")
    prompt = Prompt(levels, tuple(table.texts("rules")))
    table.finish()
    return prompt


def _check_sizes(table: Table, task: Task) -> None:
    sizes = [(shape.name, task.bytes_in_and_out(shape)) for shape in task.scales]
    for (small, less), (great, more) in pairwise(sizes):
        if less >= more:
            wrong = f"{great} ({more} bytes) is not larger than {small} ({less} bytes)"
            table.fail("dims", wrong, "scales must grow strictly")
    for shape in (*task.scales, *task.edges):
        needed = task.bytes_of_case(shape)
        if needed > CASE_BYTES:
            wrong = f"a case at {shape.name} needs {needed} bytes"
            table.fail("dims", wrong, f"at most {CASE_BYTES} (inputs and four times the outputs)")


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    for file, what in ((path, "task file"), (reference_path(path), "reference"), (oracle_path(path), "oracle")):
        try:
            content = file.read_bytes()
        except OSError as error:
            wrong = f"its {what} {file} cannot be read: {error.strerror}"
            raise TaskError(path, "", wrong, f"every task needs its {what}") from error
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()[:16]
