"""The accepted types of `solve` in a task file, and that they fit the task's arrays, sizes and constants."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from .ctype import DIM_TYPES, DTYPES, Argument, parse_argument
from .definition import Input, Output, Param, Prototype
from .table import Table

Dims = Mapping[str, int]  # the greatest value of each size


def read_prototypes(
    table: Table, dims: Dims, params: tuple[Param, ...], inputs: tuple[Input, ...], outputs: tuple[Output, ...]
) -> tuple[Prototype, ...]:
    """All [[prototype]]; each has every array, the first, the main one, also every size in declared order."""
    types = {array.name: DTYPES[array.dtype][0] + "*" for array in (*inputs, *outputs)}
    types |= {param.name: param.type for param in params}
    written = {output.name for output in outputs}
    prototypes = [_read_prototype(row, dims, types, written) for row in table.tables("prototype")]

    arrays = [array.name for array in (*inputs, *outputs)]
    for index, prototype in enumerate(prototypes):
        names = [argument.name for argument in prototype.arguments]
        for name in (*types, *dims):
            needed = name in arrays or (index == 0 and name in dims)
            if names.count(name) != 1 and (needed or name in names):
                wrong = f"has {name!r} {names.count(name)} times"
                allowed = "every prototype has each array once, the main one each size too"
                table.fail(f"prototype[{index}].arguments", wrong, allowed)
    order = [argument.name for argument in prototypes[0].arguments if argument.name in dims]
    if order != list(dims):
        table.fail("dims", f"are declared as {', '.join(dims)}", f"the main prototype has the order {', '.join(order)}")
    for (i, first), (j, second) in combinations(enumerate(prototypes), 2):
        if _type(first) == _type(second):
            allowed = "a candidate's meaning must follow from its type (const and names do not count)"
            table.fail(f"prototype[{j}]", f"has the same C++ type as prototype[{i}]", allowed)
    return tuple(prototypes)


def _type(prototype: Prototype) -> list[str]:
    return [argument.bare_type for argument in prototype.arguments]


def _read_prototype(row: Table, dims: Dims, types: Mapping[str, str], written: set[str]) -> Prototype:
    arguments = []
    for index, text in enumerate(row.texts("arguments")):
        key = f"arguments[{index}]"
        argument = parse_argument(text)
        if argument is None:
            row.fail(key, f"{text!r} is not an argument", "must be like 'const float* input' or 'int N'")
        if argument.name in dims:
            _check_dim(row, key, argument, dims[argument.name])
        elif argument.name not in types:
            known = ", ".join((*types, *dims))
            row.fail(key, f"{argument.name!r} is no input, output, dim or param", f"known: {known}")
        elif argument.bare_type != types[argument.name]:
            row.fail(
                key, f"'{argument}' does not fit what is declared", f"must be {types[argument.name]} {argument.name}"
            )
        elif argument.const and argument.name in written:
            row.fail(key, f"'{argument}' is const", f"{argument.name} is an output")
        arguments.append(argument)
    row.finish()
    return Prototype(tuple(arguments))


def _check_dim(row: Table, key: str, argument: Argument, greatest: int) -> None:
    if argument.pointer or argument.type not in DIM_TYPES:
        row.fail(key, f"'{argument}' does not fit a size", f"allowed types: {', '.join(DIM_TYPES)}")
    if greatest > DIM_TYPES[argument.type]:
        row.fail(key, f"{argument.type} cannot hold {argument.name} = {greatest}", "use a wider type or smaller sizes")
