"""The build tree whose tools `cudabench grade` uses: built when something in it is missing or old, not in the loop."""

import fcntl
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from command.build_tree import BuildTree, default_jobs, set_up
from command.checkout import ROOT, shown, tasks
from command.ending import CommandError, Exit

_SOURCES = ("CMakeLists.txt", "cmake", "harness", "references", "tasks", "tools/compile", "tools/generator")


class GradingTools:
    def __init__(self, directory: Path, task_sets: Sequence[Path] = ()) -> None:
        """`task_sets`: directories of further tasks. Raises CommandError if `directory` cannot be a build tree."""
        self.directory = directory.absolute()
        self._sets = [str(path.resolve()) for path in task_sets]
        self._tree = BuildTree(directory, sys.stderr)
        self._tasks = self.directory / "cudabench_tasks" / "tasks.json"
        self._stamp = self.directory / "cudabench_tasks" / "grading_tools.json"

    def task_names(self) -> dict[str, str]:
        """The name of each task and alias."""
        try:
            if self._configured_sets() != ";".join(self._sets):
                raise ValueError("the build tree is of other task sets")
            known = json.loads(self._tasks.read_text(encoding="utf-8"))["tasks"]
            named = [(task["name"], task["aliases"]) for task in known]
        except (OSError, ValueError, KeyError):
            named = [(task.name, task.aliases) for task in tasks().values()]
        return {alias: name for name, aliases in named for alias in (name, *aliases)}

    def ensure(self, wanted: Iterable[str], *, setup: bool) -> None:
        """Builds what the tasks need, unless it is built already; raises CommandError."""
        wanted = set(wanted)
        if wanted <= self._built():
            return
        self.directory.mkdir(parents=True, exist_ok=True)
        with (self.directory / "grading_tools.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print(f"cudabench: waiting for who builds {shown(self.directory)}", file=sys.stderr, flush=True)
                fcntl.flock(lock, fcntl.LOCK_EX)
            built = self._built()  # by another process, while this one waited
            if not wanted <= built:
                self._build(wanted | built, setup)

    def _built(self) -> set[str]:
        """Tasks that can be graded; none if a source is newer than the build."""
        try:
            since = self._stamp.stat().st_mtime
            stamp = json.loads(self._stamp.read_text(encoding="utf-8"))
            built = set(stamp["tasks"]) if stamp["sets"] == self._sets else set()
        except (OSError, ValueError, KeyError, TypeError):
            return set()
        return built if all(_mtime(path) <= since for path in _sources(self._sets)) else set()

    def _build(self, wanted: set[str], setup: bool) -> None:
        if not self._tasks.exists():
            if setup:
                set_up(sys.stderr)
            options = {"CUDABENCH_GRADING": "ON", "CUDABENCH_BUILD_TESTS": "OFF"}
            self._tree.configure(options | {"CUDABENCH_TASK_SETS": ";".join(self._sets)})
        elif ";".join(self._sets) != self._configured_sets():
            self._tree.configure({"CUDABENCH_TASK_SETS": ";".join(self._sets)})
        started = self.directory / "grading_tools.lock"
        os.utime(started)
        targets = ["cudabench_grading_tools", *(f"cudabench_reference_{task}" for task in sorted(wanted))]
        self._tree.build(default_jobs(), targets=targets)
        for task in wanted:
            if not (self._tasks.parent / "references" / f"{task}.so").exists():
                raise CommandError(Exit.FAULT, f"the reference of {task} was not built")
        self._stamp.write_text(json.dumps({"tasks": sorted(wanted), "sets": self._sets}), encoding="utf-8")
        os.utime(self._stamp, (_mtime(started), _mtime(started)))  # what was edited during the build is newer

    def _configured_sets(self) -> str:
        prefix = "CUDABENCH_TASK_SETS:STRING="
        with (self.directory / "CMakeCache.txt").open(encoding="utf-8") as cache:
            return next((line.rstrip("\n").removeprefix(prefix) for line in cache if line.startswith(prefix)), "")


def _sources(task_sets: Iterable[str]) -> Iterable[Path]:
    of_sets = [Path(task_set, name) for task_set in task_sets for name in ("references", "tasks")]
    for path in [*(ROOT / name for name in _SOURCES), *of_sets]:
        yield path
        if path.is_dir():
            for folder, _, files in os.walk(path):
                yield from (Path(folder, file) for file in files if not file.endswith(".pyc"))


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
