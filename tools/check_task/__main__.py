"""`python -m check_task`: what `cudabench check-task` runs, with the build tree whose tools are built."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.util import Finalize
from pathlib import Path

from generator.definition import Task
from generator.task import TaskError, load_task
from grade.fault import GraderFault

from .argued import ArguedError
from .check import Checker
from .examiner import ExaminerFault
from .result import Result, differences, write


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m check_task", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="<task set>/tasks/<domain>/<task>.toml")
    parser.add_argument("--build", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="tasks at a time, each by a process of its own"
    )
    chosen = parser.parse_args(words)
    if chosen.update and chosen.quick:
        parser.error("--update writes what all checks found: without --quick")
    try:
        tasks = [load_task(file) for file in chosen.files]
        return max([_tell(verdict) for verdict in _verdicts(tasks, chosen)])
    except (TaskError, ArguedError) as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenProcessPool:
        print("cudabench: a process that checked tasks was ended; fewer --jobs need less memory", file=sys.stderr)
        return 4
    except (ExaminerFault, GraderFault, OSError) as error:
        print(f"cudabench: {error}", file=sys.stderr)
        return 4


@dataclass(frozen=True)
class Verdict:
    """What is told of one task."""

    told: str
    complaints: list[str]
    code: int


def _verdicts(tasks: list[Task], chosen: argparse.Namespace) -> Iterator[Verdict]:
    """In the order of the tasks."""
    if chosen.jobs == 1:
        _Worker.start(chosen)
        yield from map(_Worker.verdict, tasks)
        return
    with ProcessPoolExecutor(min(chosen.jobs, len(tasks)), initializer=_Worker.start, initargs=(chosen,)) as pool:
        yield from pool.map(_Worker.verdict, tasks)


class _Worker:
    """The checker of this process, made for its first task, so that a fault is told as one of that task."""

    chosen: argparse.Namespace
    checker: Checker | None = None

    @classmethod
    def start(cls, chosen: argparse.Namespace) -> None:
        cls.chosen = chosen

    @classmethod
    def verdict(cls, task: Task) -> Verdict:
        if cls.checker is None:
            cls.checker = Checker(cls.chosen.build, seeds=cls.chosen.seeds, quick=cls.chosen.quick)
            Finalize(None, cls.checker.close, exitpriority=0)
        return _verdict(cls.checker.check(task), cls.chosen)


def _tell(verdict: Verdict) -> int:
    print(verdict.told, flush=True)
    for line in verdict.complaints:
        print(f"cudabench: {line}", file=sys.stderr)
    return verdict.code


def _verdict(result: Result, chosen: argparse.Namespace) -> Verdict:
    told = json.dumps(result.document | {"wrong": result.wrong}) if chosen.json else result.in_words()
    if result.wrong:
        return Verdict(told, [], 1)
    if chosen.update:
        write(result)
        return Verdict(told, [], 0)
    if not result.path.is_file():
        return Verdict(told, [f"{result.path} is missing; --update writes it"], 0)
    stale = differences(result)
    return Verdict(told, stale, 1 if stale else 0)


if __name__ == "__main__":
    sys.exit(main())
