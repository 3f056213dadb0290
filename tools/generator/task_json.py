"""A task as JSON, for programs that read tasks at run time; the keys are the members of harness/case/task.h."""

from __future__ import annotations

from dataclasses import asdict

from .definition import Check, Shape, Task


def task_json(task: Task) -> dict[str, object]:
    return {
        "name": task.name,
        "domain": task.domain,
        "hash": task.hash,
        "dims": task.dims,
        "params": [param.value for param in task.params],
        "inputs": [{"name": i.name, "dtype": i.dtype} for i in task.inputs],
        "outputs": [{"name": o.name, "dtype": o.dtype, "check": _check(o.check)} for o in task.outputs],
        "scales": [_shape(shape) for shape in task.scales],
        "edges": [_shape(shape) for shape in task.edges],
        "tensor_admitted": task.tensor_admitted,
    }


def _check(check: Check) -> dict[str, object]:
    names = ("exact_on_integers", "factor", "rms_factor", "ulps")
    return {"exact": check.kind == "exact"} | {name: getattr(check, name) for name in names}


def _shape(shape: Shape) -> dict[str, object]:
    return {
        "name": shape.name,
        "dims": shape.dims,
        "input_elements": shape.input_elements,
        "input_values": [asdict(drawn) for drawn in shape.input_values],
        "input_integers": [asdict(drawn) for drawn in shape.input_integers],
        "output_elements": shape.output_elements,
        "output_terms": shape.output_terms,
        "floor": asdict(shape.floor),
        "model": asdict(shape.model),
    }
