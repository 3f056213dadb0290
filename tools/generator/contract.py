"""The C++ header that calls a candidate of a task; included after the candidate's source, in the same file."""

from __future__ import annotations

from .ctype import DTYPES, Argument
from .definition import Task
from .descriptor import environment

MARKER = "CUDABENCH_CONTRACT"  # in every diagnostic of a candidate whose `solve` has the wrong type


def contract_header(task: Task) -> str:
    """The text of contracts/<task>.h. Names are all prefixed: the candidate may have defined macros of any other."""
    prototypes = [
        {
            "types": ", ".join(argument.bare_type for argument in prototype.arguments),
            "passed": [_value(task, argument) for argument in prototype.arguments],
            "text": str(prototype),
        }
        for prototype in task.prototypes
    ]
    return environment().get_template("contract.h.j2").render(task=task, prototypes=prototypes, marker=MARKER)


def _value(task: Task, argument: Argument) -> str:
    arrays = (*task.inputs, *task.outputs)
    names = [array.name for array in arrays]
    if argument.name in names:
        index = names.index(argument.name)
        return f"static_cast<{DTYPES[arrays[index].dtype][0]}*>(cudabench_buffers[{index}])"
    if argument.name in task.dims:
        return f"static_cast<{argument.type}>(cudabench_dims[{task.dims.index(argument.name)}])"
    index = [param.name for param in task.params].index(argument.name)
    return f"static_cast<{argument.type}>(cudabench_params[{index}])"
