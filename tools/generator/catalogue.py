"""The list of a task set, for readers and tools that do not read task files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from .definition import Shape, Task, Work

SCHEMA = 1


def catalogue(tasks: Iterable[Task]) -> str:
    """The JSON text of catalogue.json."""
    content = {"schema": SCHEMA, "tasks": [_entry(task) for task in tasks]}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _entry(task: Task) -> dict[str, Any]:
    return {
        "name": task.name,
        "title": task.title,
        "domain": task.domain,
        "aliases": list(task.aliases),
        "source": task.source,
        "prototypes": [f'extern "C" {prototype}' for prototype in task.prototypes],
        "params": {param.name: param.written for param in task.params},
        "scales": {shape.name: _scale(task, shape) for shape in task.scales},
        "edges": [dict(zip(task.dims, shape.dims, strict=True)) for shape in task.edges],
    }


def _scale(task: Task, shape: Shape) -> dict[str, Any]:
    return {
        "dims": dict(zip(task.dims, shape.dims, strict=True)),
        "bytes": task.bytes_in_and_out(shape),
        "floor": _work(shape.floor),
        "model": _work(shape.model),
    }


def _work(work: Work) -> dict[str, float]:
    return {field: amount for field, amount in asdict(work).items() if amount}
