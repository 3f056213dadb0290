"""From a task file to a Task: what may stand where, and that the parts agree with each other."""

from __future__ import annotations

import hashlib
import re
from itertools import combinations, pairwise
from math import prod
from pathlib import Path

from .ctype import DIM_TYPES, DTYPES, PARAM_TYPES, Argument, parse_argument
from .definition import (
    SCALES,
    WORK_FIELDS,
    Array,
    Check,
    Distribution,
    Input,
    Output,
    Param,
    Prompt,
    Prototype,
    Shape,
    Task,
    oracle_path,
    reference_path,
)
from .errors import TaskError
from .expression import FUNCTION_NAMES, INT64_MAX
from .shapes import evaluate_shape
from .table import Table, read_toml

SOURCES = ("cudabench", "cublas", "vllm", "aten", "own")
CASE_BYTES = 8 * 10**9  # a case fits in a GPU of 8 GB; 4 GB more are the candidate's workspace

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_FILE_NAME = re.compile(r"[a-z][a-z0-9_]*")


def read_task(path: Path) -> Task:
    path = Path(path).absolute()
    _check_file_name(path)
    table = read_toml(path)
    domain = table.choice("domain", [path.parent.name])
    dims = _read_dims(table.table("dims"))
    params = _read_params(table.table("params", optional=True))
    inputs = tuple(_read_input(row) for row in table.tables("input"))
    outputs = tuple(_read_output(row) for row in table.tables("output"))
    _check_names(table, list(dims), params, (*inputs, *outputs))
    prototypes = _read_prototypes(table, dims, params, inputs, outputs)
    work = _read_work(table)
    names = {param.name: param.written for param in params}

    def shape(name: str, place: str, values: tuple[int, ...]) -> Shape:
        named = dict(zip(dims, values, strict=True))
        return evaluate_shape(path, place, name, named, names, inputs, outputs, work)

    columns = list(zip(*dims.values(), strict=True))
    scales = tuple(shape(scale, f"dims at scale {scale}", column) for scale, column in zip(SCALES, columns, strict=True))
    edges = tuple(shape(*edge) for edge in _read_edges(table, list(dims)))
    task = Task(
        name=path.stem,
        domain=domain,
        path=path,
        title=table.text("title"),
        aliases=tuple(table.texts("aliases", [])),
        source=table.choice("source", SOURCES),
        tensor_admitted=table.flag("tensor", False),
        dims=tuple(dims),
        params=params,
        prototypes=prototypes,
        inputs=inputs,
        outputs=outputs,
        scales=scales,
        edges=edges,
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


def _read_dims(table: Table) -> dict[str, list[int]]:
    dims = {}
    for name in table.keys():
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
    for name in table.keys():
        row = table.table(name)
        kind = row.choice("type", PARAM_TYPES)
        value = row.whole("value") if kind == "int" else row.number("value")
        row.finish()
        params.append(Param(name, value, kind))
    return tuple(params)


def _read_input(row: Table) -> Input:
    values = _read_distribution(row.table("values"))
    integers = _read_distribution(row.table("integers")) if row.has("integers") else values
    entry = Input(*_read_array(row), values=values, integers=integers)
    row.finish()
    return entry


def _read_output(row: Table) -> Output:
    check = row.table("check")
    array = _read_array(row)
    output = Output(*array, check=_read_check(check, array[1]))
    row.finish()
    return output


def _read_array(row: Table) -> tuple[str, str, tuple[str | int, ...], str]:
    dtype = row.choice("dtype", DTYPES)
    shape = tuple(row.expressions("shape"))
    if not shape:
        row.fail("shape", "is empty", 'must have an extent a dimension, e.g. ["rows", "cols"]')
    return row.text("name"), dtype, shape, row.text("about")


def _read_distribution(table: Table) -> Distribution:
    kind = table.choice("kind", ("uniform", "normal", "integer"))
    read = table.whole if kind == "integer" else table.number
    distribution = Distribution(
        kind=kind,
        a=read("a"),
        b=read("b"),
        drift=table.flag("drift", False),
        needle_probability=table.number("needle_probability", 0),
        needle_factor=table.number("needle_factor", 1),
    )
    table.finish()
    if kind != "normal" and distribution.a > distribution.b:
        table.fail("b", f"is {distribution.b}, less than a, {distribution.a}", "a is the least value, b the greatest")
    if kind == "normal" and distribution.b < 0:
        table.fail("b", f"is {distribution.b}", "the standard deviation is not negative")
    if kind == "integer" and distribution.drift:
        table.fail("drift", "is true", "whole numbers never drift")
    if not 0 <= distribution.needle_probability <= 1:
        table.fail("needle_probability", f"is {distribution.needle_probability}", "must lie in 0 to 1")
    return distribution


def _read_check(table: Table, dtype: str) -> Check:
    kind = table.choice("kind", ("exact", "bounded"))
    bounded = kind == "bounded"
    if bounded and not dtype.startswith("float"):
        table.fail("kind", f"is 'bounded' for {dtype}", "whole numbers are checked by 'exact'")
    check = Check(
        kind=kind,
        terms=table.expression("terms") if bounded else 1,
        factor=table.number("factor") if bounded else 0,
        rms_factor=table.number("rms_factor") if bounded else 0,
        ulps=table.number("ulps", 1) if bounded else 1,
        exact_on_integers=table.flag("exact_on_integers", False) if bounded else False,
    )
    table.finish()
    for key in ("factor", "rms_factor"):
        if bounded and getattr(check, key) <= 0:
            table.fail(key, f"is {getattr(check, key)}", "must be above 0")
    return check


def _check_names(table: Table, dims: list[str], params: tuple[Param, ...], arrays: tuple[Array, ...]) -> None:
    seen: set[str] = set()
    for name in (*dims, *(param.name for param in params), *(array.name for array in arrays)):
        if not _NAME.fullmatch(name):
            table.fail("", f"the name {name!r} cannot be used", "allowed: a letter, then letters, digits and _")
        if name in FUNCTION_NAMES:
            table.fail("", f"the name {name!r} is that of a function", "rename it")
        if name in seen:
            table.fail("", f"the name {name!r} stands for two things", "dims, params, inputs and outputs share names")
        seen.add(name)


def _read_prototypes(
    table: Table, dims: dict[str, list[int]], params: tuple[Param, ...], inputs: tuple[Input, ...], outputs: tuple[Output, ...]
) -> tuple[Prototype, ...]:
    prototypes = []
    for row in table.tables("prototype"):
        arguments = []
        for index, text in enumerate(row.texts("arguments")):
            argument = parse_argument(text)
            if argument is None:
                row.fail(f"arguments[{index}]", f"{text!r} is not an argument", "must be like 'const float* input' or 'int N'")
            _check_argument(row, f"arguments[{index}]", argument, dims, params, inputs, outputs)
            arguments.append(argument)
        row.finish()
        prototypes.append(Prototype(tuple(arguments)))
    _check_main(table, prototypes[0], list(dims), inputs, outputs)
    for (i, first), (j, second) in combinations(enumerate(prototypes), 2):
        if [a.bare_type for a in first.arguments] == [a.bare_type for a in second.arguments]:
            table.fail(
                f"prototype[{j}]",
                f"has the same C++ type as prototype[{i}]",
                "a candidate's meaning must follow from its type (const and names do not count)",
            )
    return tuple(prototypes)


def _check_argument(
    row: Table,
    key: str,
    argument: Argument,
    dims: dict[str, list[int]],
    params: tuple[Param, ...],
    inputs: tuple[Input, ...],
    outputs: tuple[Output, ...],
) -> None:
    arrays = {array.name: array for array in (*inputs, *outputs)}
    types = {param.name: param.type for param in params}
    name = argument.name
    if name in arrays:
        expected = DTYPES[arrays[name].dtype][0] + "*"
        if argument.bare_type != expected:
            row.fail(key, f"'{argument}' does not fit {name}'s dtype {arrays[name].dtype}", f"must be {expected} {name}")
        if argument.const and arrays[name] in outputs:
            row.fail(key, f"'{argument}' is const", f"{name} is an output")
    elif name in types:
        if argument.bare_type != types[name]:
            row.fail(key, f"'{argument}' does not fit params.{name}", f"must be {types[name]} {name}")
    elif name in dims:
        if argument.pointer or argument.type not in DIM_TYPES:
            row.fail(key, f"'{argument}' does not fit a size", f"allowed types: {', '.join(DIM_TYPES)}")
        if max(dims[name]) > DIM_TYPES[argument.type]:
            row.fail(key, f"{argument.type} cannot hold dims.{name} = {max(dims[name])}", "use a wider type or smaller sizes")
    else:
        known = ", ".join((*arrays, *dims, *types))
        row.fail(key, f"{name!r} is no input, output, dim or param", f"known: {known}")


def _check_main(
    table: Table, main: Prototype, dims: list[str], inputs: tuple[Input, ...], outputs: tuple[Output, ...]
) -> None:
    names = [argument.name for argument in main.arguments]
    for name in (*(array.name for array in (*inputs, *outputs)), *dims):
        if names.count(name) != 1:
            table.fail("prototype[0].arguments", f"has {name!r} {names.count(name)} times", "the main prototype has each once")
    order = [name for name in names if name in dims]
    if order != dims:
        table.fail("dims", f"are declared as {', '.join(dims)}", f"the main prototype has the order {', '.join(order)}")


def _read_work(table: Table) -> dict[str, dict[str, str | float]]:
    work_table = table.table("work")
    work = {}
    for part in ("floor", "model"):
        rows = work_table.table(part)
        work[part] = {field: rows.expression(field, None if field.endswith("_bytes") else "0") for field in WORK_FIELDS}
        rows.finish()
    work_table.finish()
    return work


def _read_edges(table: Table, dims: list[str]) -> list[tuple[str, str, tuple[int, ...]]]:
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
    sizes = [task.bytes_in_and_out(shape) for shape in task.scales]
    for (small, less), (great, more) in pairwise(zip(SCALES, sizes, strict=True)):
        if less >= more:
            table.fail("dims", f"{great} ({more} bytes) is not larger than {small} ({less} bytes)", "scales must grow strictly")
    for shape in (*task.scales, *task.edges):
        for array, extents in zip((*task.inputs, *task.outputs), (*shape.input_extents, *shape.output_extents), strict=True):
            if prod(extents) * array.element_bytes > INT64_MAX:
                table.fail("dims", f"{array.name} has more than 2^63 bytes at {shape.name}", "choose smaller sizes")
        # The outputs exist four times: the candidate's, the sealed copy, the reference's and their magnitudes.
        outputs = sum(o.element_bytes * n for o, n in zip(task.outputs, shape.output_elements, strict=True))
        needed = task.bytes_in_and_out(shape) + 3 * outputs
        if needed > CASE_BYTES:
            table.fail("dims", f"a case at {shape.name} needs {needed} bytes", f"at most {CASE_BYTES} (inputs and four times the outputs)")


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    for file, what in ((path, "task"), (reference_path(path), "reference"), (oracle_path(path), "oracle")):
        try:
            content = file.read_bytes()
        except OSError as error:
            raise TaskError(path, "", f"its {what} {file} cannot be read: {error.strerror}", f"every task needs a {what}") from error
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()[:16]
