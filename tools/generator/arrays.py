"""Inputs and outputs in a task file: their shapes, how values are drawn and by what they are compared."""

from __future__ import annotations

from typing import Any

from .ctype import DTYPES
from .definition import Check, Input, Output
from .distributions import read_distribution
from .table import Table


def read_input(row: Table) -> Input:
    """An [[input]]."""
    values = read_distribution(row.table("values"))
    integers = read_distribution(row.table("integers")) if row.has("integers") else values
    entry = Input(**_read_array(row), values=values, integers=integers)
    row.finish()
    return entry


def read_output(row: Table) -> Output:
    """An [[output]]."""
    array = _read_array(row)
    output = Output(**array, check=_read_check(row.table("check"), array["dtype"]))
    row.finish()
    return output


def _read_array(row: Table) -> dict[str, Any]:
    shape = tuple(row.expressions("shape"))
    if not shape:
        row.fail("shape", "is empty", 'must have an extent a dimension, e.g. ["rows", "cols"]')
    return {
        "name": row.text("name"),
        "dtype": row.choice("dtype", DTYPES),
        "shape": shape,
        "about": row.text("about"),
    }


def _read_check(table: Table, dtype: str) -> Check:
    if table.choice("kind", ("exact", "bounded")) == "exact":
        table.finish()
        return Check("exact", terms=1, magnitude="", factor=0, rms_factor=0, ulps=0, exact_on_integers=False)
    if not dtype.startswith("float"):
        table.fail("kind", f"is 'bounded' for {dtype}", "whole numbers are checked by 'exact'")
    check = Check(
        kind="bounded",
        terms=table.expression("terms"),
        magnitude=table.text("magnitude"),
        factor=table.number("factor"),
        rms_factor=table.number("rms_factor"),
        ulps=table.number("ulps", 1),
        exact_on_integers=table.flag("exact_on_integers", False),
    )
    table.finish()
    for key, value in (("factor", check.factor), ("rms_factor", check.rms_factor)):
        if value <= 0:
            table.fail(key, f"is {value}", "must be above 0")
    if check.ulps < 0:
        table.fail("ulps", f"is {check.ulps}", "must be at least 0")
    return check
