"""How an input's values are drawn: read from a task file, and with the bounds that they have in a shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NoReturn

from .definition import Distribution
from .expression import ExpressionError, Number, evaluate, whole
from .table import Table

_KINDS = ("uniform", "normal", "integer", "ascending")
_WHOLE = ("integer", "ascending")
_LIMITS = {  # of whole-number dtypes
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint8": (0, 2**8 - 1),
}


def read_distribution(table: Table) -> Distribution:
    """A `values` or `integers`."""
    kind = table.choice("kind", _KINDS)
    distribution = Distribution(
        kind=kind,
        a=_read_bound(table, "a", kind),
        b=_read_bound(table, "b", kind),
        drift=table.flag("drift", False),
        needle_probability=table.number("needle_probability", 0),
        needle_factor=table.number("needle_factor", 1),
    )
    table.finish()
    if kind in _WHOLE and distribution.drift:
        table.fail("drift", "is true", "whole numbers never drift")
    if kind == "ascending" and distribution.needle_probability:
        table.fail("needle_probability", f"is {distribution.needle_probability}", "needles would break the order")
    if not 0 <= distribution.needle_probability <= 1:
        table.fail("needle_probability", f"is {distribution.needle_probability}", "must lie in 0 to 1")
    return distribution


def evaluate_distribution(
    distribution: Distribution, dtype: str, names: Mapping[str, Number], fail: Callable[[str, object], NoReturn]
) -> Distribution:
    """With numbers as bounds. `fail` is told the key and what is wrong with it."""
    kind = distribution.kind

    def bound(key: str) -> Number:
        text = getattr(distribution, key)
        try:
            return whole(text, names) if kind in _WHOLE else evaluate(text, names)
        except ExpressionError as error:
            fail(key, error)

    a, b = bound("a"), bound("b")
    if kind != "normal" and a > b:
        fail("b", f"{_is(distribution.b, b)}, less than a, {a}; a is the least value, b the greatest")
    if kind == "normal" and b < 0:
        fail("b", f"{_is(distribution.b, b)}; the standard deviation is not negative")
    if kind in _WHOLE and dtype in _LIMITS:
        least, most = _LIMITS[dtype]
        for key, value in (("a", a), ("b", b)):
            if not least <= value <= most:
                fail(key, f"{_is(getattr(distribution, key), value)}, but {dtype} holds {least} to {most}")
    return replace(distribution, a=a, b=b)


def _read_bound(table: Table, key: str, kind: str) -> str | float:
    """A number, or an expression over dims and params."""
    if isinstance(table.expression(key), str):
        return table.text(key)
    return table.whole(key) if kind in _WHOLE else table.number(key)


def _is(text: str | float, value: Number) -> str:
    return f"{text!r} is {value}" if isinstance(text, str) else f"is {value}"
