"""A page a domain, for readers: what each task is, what it costs, and on which side of the roofline it lies."""

from __future__ import annotations

from collections.abc import Iterable

from .definition import Shape, Task
from .descriptor import environment
from .devices import DEVICES, PIPES, Device, attainable_seconds, limit


def domain_page(domain: str, tasks: Iterable[Task]) -> str:
    """The Markdown text. `tasks`: those of the domain."""
    tasks = sorted(tasks, key=lambda task: task.name)
    return (
        environment()
        .get_template("domain.md.j2")
        .render(
            title=domain.replace("_", " ").capitalize(),
            tasks=tasks,
            devices=DEVICES,
            rows={task.name: [_row(task, shape) for shape in task.scales] for task in tasks},
        )
    )


def _row(task: Task, shape: Shape) -> list[str]:
    model = shape.model
    moved = model.read_bytes + model.write_bytes
    operations = {pipe: getattr(model, pipe) for pipe in PIPES if getattr(model, pipe)}
    sizes = ", ".join(f"{name} = {value}" for name, value in zip(task.dims, shape.dims, strict=True))
    counts = ", ".join(f"{_short(count)} {pipe}" for pipe, count in operations.items()) or "none"
    intensity = f"{sum(operations.values()) / moved:.3g}" if operations else "0"
    return [shape.name, sizes, f"{_short(moved)}B", counts, intensity, *(_bound(shape, device) for device in DEVICES)]


def _bound(shape: Shape, device: Device) -> str:
    seconds = attainable_seconds(shape.model, device)
    resource = limit(shape.model, device)
    return f"{_time(seconds)}, {'memory' if resource == 'bandwidth' else resource}"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"


def _short(count: float) -> str:
    for unit, name in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count:.3g}"
