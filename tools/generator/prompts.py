"""The prompts that ask a model for a candidate: what the task file says at a level, and at all levels the interface.

The exact interface belongs to all levels, so that the third tests whether the algorithm is known, not whether constants
are guessed.
"""

from __future__ import annotations

from .ctype import DTYPES
from .definition import Array, Distribution, Output, Task
from .descriptor import environment

LEVELS = (1, 2, 3)


def prompt(task: Task, level: int) -> str:
    """The Markdown text of a prompt; level 1 gives hardware guidance, 2 the algorithm, 3 the name."""
    outputs = {output.name for output in task.outputs}
    return (
        environment()
        .get_template("prompt.md.j2")
        .render(
            task=task,
            text=task.prompt.levels[level],
            arguments=[_argument(task, argument.name, outputs) for argument in task.prototypes[0].arguments],
            sizes=[(shape.name, _sizes(task, shape.dims)) for shape in task.scales],
            tolerances=[(output.name, _tolerance(output)) for output in task.outputs],
        )
    )


def _argument(task: Task, name: str, outputs: set[str]) -> str:
    for array in (*task.inputs, *task.outputs):
        if array.name == name:
            role = "output" if name in outputs else "input"
            return f"`{name}`: device pointer, {role}; {array.about}; {_layout(array)}{_values(array)}"
    for param in task.params:
        if param.name == name:
            return f"`{name}`: {param.type}; always {param.written:g}"
    return f"`{name}`: size"


def _layout(array: Array) -> str:
    extents = " x ".join(map(str, array.shape))
    order = ", row-major, without padding" if len(array.shape) > 1 else " elements"
    return f"{extents}{order}, {array.dtype} ({DTYPES[array.dtype][0]})"


def _values(array: Array) -> str:
    if isinstance(array, Output):
        return ""
    kinds = [_distribution(array.values)] + ([_distribution(array.integers)] if array.integers != array.values else [])
    return f"; values {', in other tests '.join(kinds)}"


def _distribution(values: Distribution) -> str:
    a, b = _bound(values.a), _bound(values.b)
    match values.kind:
        case "uniform":
            text = f"between {a} and {b}"
        case "normal":
            text = f"of either sign, of the order of {_larger(values.a, values.b)}"
        case "integer":
            text = f"whole numbers from {values.a} to {values.b}"
        case "ascending":
            text = f"whole numbers that never fall, the first {values.a}, the last {values.b}"
    return text + (f", a few {values.needle_factor:g} times that" if values.needle_probability else "")


def _bound(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _larger(mean: str | float, deviation: str | float) -> str:
    if isinstance(mean, str) or isinstance(deviation, str):
        return f"max(|{_bound(mean)}|, {_bound(deviation)})"
    return f"{max(abs(mean), deviation):g}"


def _sizes(task: Task, values: tuple[int, ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in zip(task.dims, values, strict=True))


def _tolerance(output: Output) -> str:
    check = output.check
    if check.kind == "exact":
        return "every element must be exact"
    unit = {"float32": "2^-24", "float64": "2^-53"}[output.dtype]
    if str(check.terms) == "1":
        scale, growth = "u A", ""
    else:
        scale, growth = "u g A", f", g = sqrt(min({check.terms}, 4096)) + log2({check.terms})"
    rounding = "u" if check.ulps == 1 else f"{check.ulps:g} u"
    text = (
        f"each error at most {check.factor:g} {scale} + {rounding} |value|, and the root mean square of "
        f"error / ({scale}) at most {check.rms_factor:g}, with u = {unit}{growth}, and A = {check.magnitude}"
    )
    return text + ("; exact where the inputs are whole numbers" if check.exact_on_integers else "")
