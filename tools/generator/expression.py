"""Arithmetic over a task's dims and params, as task files write it: `4 * rows * cols`, `ceil(N / 256)`.

Whole numbers are those of 64 bits: a result outside them is an error, not a wrap-around and not a big integer, since
the harness computes with std::int64_t.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache

Number = int | float

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

_OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, tuple[Callable[..., Number], int]] = {  # and the fewest arguments; more only for min and max
    "min": (min, 2),
    "max": (max, 2),
    "log2": (math.log2, 1),
    "sqrt": (math.sqrt, 1),
    "ceil": (math.ceil, 1),
    "floor": (math.floor, 1),
}
FUNCTION_NAMES = frozenset(_FUNCTIONS)
ALLOWED = "allowed are numbers, names, + - * / // % **, parentheses and " + ", ".join(sorted(FUNCTION_NAMES))


class ExpressionError(ValueError):
    """An expression cannot be read, or has no value."""


def evaluate(text: str | Number, names: Mapping[str, Number]) -> Number:
    """The value of an expression; raises ExpressionError. A plain number is its own value."""
    if not isinstance(text, str):
        return _checked(text)
    try:
        tree = _parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"cannot read {text!r}; {ALLOWED}") from error
    try:
        return _value(tree.body, names)
    except ExpressionError as error:
        raise ExpressionError(f"{error} in {text!r}") from error
    except (ZeroDivisionError, ValueError, OverflowError, RecursionError) as error:
        raise ExpressionError(f"{text!r} has no value: {error}") from error


@lru_cache(maxsize=4096)  # each is evaluated at every scale and edge
def _parsed(text: str) -> ast.Expression:
    return ast.parse(text.strip(), mode="eval")


def whole(text: str | Number, names: Mapping[str, Number]) -> int:
    """The value of an expression that must be a whole number."""
    value = evaluate(text, names)
    if not isinstance(value, int):
        raise ExpressionError(f"{text!r} is {value!r}, not a whole number; use //, ceil() or floor()")
    return value


def _value(node: ast.expr, names: Mapping[str, Number]) -> Number:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as number):
            return _checked(number)
        case ast.Name(id=name):
            return _named(name, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _checked(-_value(operand, names))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, names)
        case ast.BinOp(left=left, op=symbol, right=right) if type(symbol) in _OPERATORS:
            return _binary(type(symbol), _value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _call(name, [_value(argument, names) for argument in arguments])
    raise ExpressionError(f"{ast.unparse(node)!r} is not arithmetic; {ALLOWED},")


def _named(name: str, names: Mapping[str, Number]) -> Number:
    if name not in names:
        raise ExpressionError(f"{name!r} is unknown (known: {', '.join(sorted(names)) or 'none'})")
    return _checked(names[name])


def _binary(symbol: type[ast.operator], left: Number, right: Number) -> Number:
    if symbol is ast.Pow and isinstance(left, int) and isinstance(right, int) and abs(left) > 1 and right > 63:
        raise ExpressionError(f"{left} ** {right} exceeds 64 bits")
    return _checked(_OPERATORS[symbol](left, right))


def _call(name: str, arguments: list[Number]) -> Number:
    if name not in _FUNCTIONS:
        raise ExpressionError(f"function {name!r} is unknown; {ALLOWED},")
    function, fewest = _FUNCTIONS[name]
    if len(arguments) < fewest or (fewest == 1 and len(arguments) > 1):
        raise ExpressionError(f"{name}() takes {'one argument' if fewest == 1 else 'two or more arguments'}")
    return _checked(function(*arguments))


def _checked(value: Number) -> Number:
    if isinstance(value, complex) or (isinstance(value, float) and not math.isfinite(value)):
        raise ExpressionError(f"the value {value!r} is not a finite real number")
    if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
        raise ExpressionError(f"the value {value} exceeds 64 bits")
    return value
