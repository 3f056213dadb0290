"""The model's work against what honest kernels execute at tiny, counted exactly on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.definition import Task

from .argued import Argued

ALLOWED = 0.05  # of the model
_SECTOR = 32  # bytes

# What is counted (harness/executor/cpu/counts.h) of each quantity of the model. Whole numbers of the task and addresses
# are counted together, so that int32 is left out.
_COUNTED = {
    "fp32": (("fp32",), 1),
    "fp64": (("fp64",), 1),
    "tensor": (("tensor_tf32", "tensor_half", "tensor_fp64"), 1),
    "sfu": (("sfu",), 1),
    "read_bytes": (("unique_read_sectors",), _SECTOR),
    "write_bytes": (("unique_write_sectors",), _SECTOR),
}


def check_work(
    task: Task, counted: Mapping[str, Mapping[str, int]], argued: Argued
) -> tuple[dict[str, Any], list[str]]:
    """For each quantity the honest kernel that comes nearest, and what differs by more than is allowed. `counted`: by
    the kernels' names."""
    entries: dict[str, Any] = {}
    wrong = []
    for quantity in _COUNTED:
        stated = getattr(task.scales[0].model, quantity)
        amounts = {name: _amount(counts, quantity) for name, counts in counted.items()}
        if not amounts or (stated == 0 and 0 in amounts.values()):
            continue
        name = min(amounts, key=lambda name: _distance(amounts[name], stated))
        entries[quantity] = {"model": stated, "counted": amounts[name], "of": name}
        if agrees(task, quantity, stated, amounts[name]):
            continue
        if reason := argued.of_work(quantity):
            entries[quantity]["because"] = reason
        else:
            wrong.append(
                f"work.model.{quantity} is {stated:g} at tiny; the nearest honest kernel, {name}, has {amounts[name]:g}"
            )
    return entries, wrong


def agrees(task: Task, quantity: str, stated: float, counted: float) -> bool:
    """Within what needs no reason."""
    return abs(counted - stated) <= ALLOWED * stated + (_part_sectors(task) if quantity.endswith("_bytes") else 0)


def _part_sectors(task: Task) -> int:
    """An array may begin and end within a sector."""
    return 2 * _SECTOR * (len(task.inputs) + len(task.outputs))


def _distance(counted: float, stated: float) -> float:
    """Nothing is infinitely far from something."""
    least, most = sorted((counted, stated))
    return most / least if least else most * float("inf") if most else 0.0


def _amount(counts: Mapping[str, int], quantity: str) -> int:
    names, factor = _COUNTED[quantity]
    return factor * sum(counts[name] for name in names)
