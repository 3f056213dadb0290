"""What the checkout holds: tasks, scales, prompts, and the Python that runs the generator."""

import argparse
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from command.ending import CommandError, Exit
from generator.task import Task, TaskError, load_tasks, tasks_of_set

ROOT = Path(__file__).resolve().parents[2]
SCALES = ("tiny", "small", "medium", "large", "huge")
GRADE_DIR = ROOT / "build" / "grade"
TOOLS_DIR = ROOT / "build" / "tools"
TEST_DIR = ROOT / "build" / "test"
_LISTED = 8
_task_sets: list[Path] = []


def add_tasks_dir(parser: argparse.ArgumentParser) -> None:
    """The option --tasks-dir. Its sets belong to the whole command: tasks() has them."""
    parser.add_argument(
        "--tasks-dir",
        type=_task_set,
        action="append",
        metavar="DIR",
        help="also the tasks of this set of one's own, a directory with tasks/ and references/; may be repeated",
    )


def _task_set(text: str) -> Path:
    directory = Path(text).resolve()
    if ";" in str(directory):
        raise argparse.ArgumentTypeError(f"{text}: a path with ; cannot be given to CMake")
    if directory not in _task_sets:
        _task_sets.append(directory)
    return directory


def task_sets() -> list[Path]:
    """Those of --tasks-dir."""
    return _task_sets


@cache
def tasks() -> dict[str, Task]:
    try:
        return load_tasks(ROOT / "tasks", *map(tasks_of_set, _task_sets))
    except TaskError as error:
        raise CommandError(Exit.INPUT, str(error)) from error


def chosen(names: Iterable[str], kind: str, known: Iterable[str]) -> list[str]:
    """Each of `names` once, if all are known; otherwise the error offers the nearest."""
    known = list(known)
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=3, cutoff=0.5)
            others = ", ".join(known) if len(known) <= _LISTED else "those of `./cudabench list`"
            offer = f"; did you mean {' or '.join(near)}?" if near else f"; there are {others}"
            raise CommandError(Exit.INPUT, f"no {kind} is called {name}{offer}")
    return list(dict.fromkeys(names))


def python() -> Path:
    """The virtual environment that the setup makes, if there is one, else the Python that runs this."""
    environment = ROOT / ".venv" / "bin" / "python3"
    return environment if environment.exists() else Path(sys.executable)


def shown(path: Path) -> str:
    """The path as short as it can be typed from here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
