"""`python -m generator.grading`: writes what `cudabench grade` needs of all tasks; run by CMake at configure time."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from .cases import write_shared
from .descriptor import environment
from .errors import TaskError
from .files import Folder
from .task import load_tasks, tasks_of_set
from .task_json import task_json

SCHEMA = 1
# The smallest candidate. Its build shows the commands that build any.
PROBE = "__global__ void cudabench_probe() {}\n"


def write_grading(folder: Folder, *task_directories: Path) -> None:
    """Raises TaskError and OSError."""
    tasks = load_tasks(*task_directories).values()
    write_shared(folder, tasks)
    content = {"schema": SCHEMA, "tasks": [task_json(task) | {"aliases": task.aliases} for task in tasks]}
    folder.write("tasks.json", json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    folder.write("probe/probe.cu", PROBE)
    probe = folder.path / "probe" / "probe.cu"
    template = environment().get_template("references.cmake.j2")
    folder.write("targets/CMakeLists.txt", template.render(tasks=tasks, probe=probe))


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="generator.grading", description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=Path, required=True, help="directory of task files")
    parser.add_argument("--task-sets", type=Path, nargs="*", default=[], help="directories of further tasks")
    parser.add_argument("--output", type=Path, required=True, help="folder of what a build tree knows of tasks")
    arguments = parser.parse_args(words)
    try:
        further = [tasks_of_set(directory.absolute()) for directory in arguments.task_sets]
        write_grading(Folder(arguments.output.absolute()), arguments.tasks.absolute(), *further)
    except (TaskError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
