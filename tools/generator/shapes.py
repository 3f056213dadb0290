"""A shape of a task: its expressions as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import NoReturn

from .definition import Array, Distribution, Input, Output, Shape, Work
from .distributions import evaluate_distribution
from .errors import TaskError
from .expression import INT64_MAX, ExpressionError, Number, evaluate, whole

Expressions = Mapping[str, str | float]


def evaluate_shape(
    file: Path,
    place: str,
    name: str,
    dims: Mapping[str, int],
    params: Mapping[str, float],
    inputs: tuple[Input, ...],
    outputs: tuple[Output, ...],
    work: Mapping[str, Expressions],
) -> Shape:
    """All expressions of a task for one set of sizes; raises TaskError naming the expression's key and the place."""
    names: dict[str, Number] = {**dims, **params}

    def fail(key: str, wrong: object) -> NoReturn:
        raise TaskError(file, key, f"{wrong} (for {place})")

    def extents(kind: str, index: int, array: Array) -> tuple[int, ...]:
        values = []
        for axis, text in enumerate(array.shape):
            key = f"{kind}[{index}].shape[{axis}]"
            try:
                values.append(whole(text, names))
            except ExpressionError as error:
                fail(key, error)
            if values[-1] < 1:
                fail(key, f"{text!r} is {values[-1]}, but an extent is at least 1")
        if prod(values) * array.element_bytes > INT64_MAX:
            fail(
                f"{kind}[{index}].shape",
                f"{array.name} has {prod(values)} elements, more than 64 bits can count in bytes",
            )
        return tuple(values)

    def positive(key: str, text: str | float, least: float) -> float:
        try:
            value = evaluate(text, names)
        except ExpressionError as error:
            fail(key, error)
        if value < least:
            fail(key, f"{text!r} is {value}, but must be at least {least}")
        return value

    def drawn(seed: str) -> tuple[Distribution, ...]:
        return tuple(
            evaluate_distribution(
                getattr(array, seed),
                array.dtype,
                names,
                lambda key, wrong, i=i: fail(f"input[{i}].{seed}.{key}", wrong),
            )
            for i, array in enumerate(inputs)
        )

    def amounts(part: str) -> Work:
        return Work(**{field: positive(f"work.{part}.{field}", text, 0) for field, text in work[part].items()})

    shape = Shape(
        name=name,
        dims=tuple(dims.values()),
        input_extents=tuple(extents("input", index, array) for index, array in enumerate(inputs)),
        input_values=drawn("values"),
        input_integers=drawn("integers"),
        output_extents=tuple(extents("output", index, array) for index, array in enumerate(outputs)),
        output_terms=tuple(positive(f"output[{i}].check.terms", o.check.terms, 1) for i, o in enumerate(outputs)),
        floor=amounts("floor"),
        model=amounts("model"),
    )
    for field in ("read_bytes", "write_bytes"):
        least, stated = getattr(shape.floor, field), getattr(shape.model, field)
        if least > stated:
            fail(f"work.floor.{field}", f"is {least}, more than work.model.{field}, {stated}")
    return shape
