"""Loading of tasks."""

from __future__ import annotations

from pathlib import Path

from .definition import Task
from .errors import TaskError
from .schema import read_task

__all__ = ["Task", "TaskError", "load_task", "load_tasks", "tasks_of_set"]


def load_task(path: Path) -> Task:
    """Reads tasks/<domain>/<task>.toml; raises TaskError."""
    return read_task(path)


def load_tasks(*directories: Path) -> dict[str, Task]:
    """All tasks below directories `tasks`, by name in the order of directory, domain and name; raises TaskError."""
    tasks: dict[str, Task] = {}
    owners: dict[str, Path] = {}
    for file in [file for directory in directories for file in _files(Path(directory))]:
        task = load_task(file)
        for name in (task.name, *task.aliases):
            if name in owners:
                raise TaskError(
                    file, "", f"the name or alias {name!r} is taken by {owners[name]}", "rename one of them"
                )
            owners[name] = file
        tasks[task.name] = task
    return tasks


def tasks_of_set(directory: Path) -> Path:
    """The folder of task files of a task set, which has tasks/ and references/; raises TaskError."""
    directory = Path(directory)
    for part in ("tasks", "references"):
        if not (directory / part).is_dir():
            raise TaskError(
                directory / part,
                "",
                "no such directory",
                "a task set is a directory with tasks/<domain>/<task>.toml, references/<domain>/<task>.cu and "
                "references/oracles/<domain>.py",
            )
    return directory / "tasks"


def _files(directory: Path) -> list[Path]:
    if not directory.is_dir():
        raise TaskError(directory, "", "is not a directory", "must hold <domain>/<task>.toml")
    files = sorted(directory.glob("*/*.toml"))
    if not files:
        raise TaskError(directory, "", "has no task", "must hold <domain>/<task>.toml")
    return files
