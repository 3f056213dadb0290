"""Loading of tasks."""

from __future__ import annotations

from pathlib import Path

from .definition import Task
from .errors import TaskError
from .schema import read_task

__all__ = ["Task", "TaskError", "load_task", "load_tasks"]


def load_task(path: Path) -> Task:
    """Reads tasks/<domain>/<task>.toml; raises TaskError."""
    return read_task(path)


def load_tasks(directory: Path) -> dict[str, Task]:
    """All tasks below a directory `tasks`, by name in the order of domain and name; raises TaskError."""
    directory = Path(directory)
    if not directory.is_dir():
        raise TaskError(directory, "", "is not a directory", "must hold <domain>/<task>.toml")
    files = sorted(directory.glob("*/*.toml"))
    if not files:
        raise TaskError(directory, "", "has no task", "must hold <domain>/<task>.toml")
    tasks: dict[str, Task] = {}
    owners: dict[str, Path] = {}
    for file in files:
        task = load_task(file)
        for name in (task.name, *task.aliases):
            if name in owners:
                raise TaskError(
                    file, "", f"the name or alias {name!r} is taken by {owners[name]}", "rename one of them"
                )
            owners[name] = file
        tasks[task.name] = task
    return tasks
