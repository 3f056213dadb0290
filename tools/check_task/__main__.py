"""`python -m check_task`: what `cudabench check-task` runs, with the build tree whose tools are built."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from pathlib import Path

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
    chosen = parser.parse_args(words)
    if chosen.update and chosen.quick:
        parser.error("--update writes what all checks found: without --quick")
    try:
        tasks = [load_task(file) for file in chosen.files]
        with closing(Checker(chosen.build, seeds=chosen.seeds, quick=chosen.quick)) as checker:
            return max([_report(checker.check(task), chosen) for task in tasks])
    except (TaskError, ArguedError) as error:
        print(error, file=sys.stderr)
        return 2
    except (ExaminerFault, GraderFault, OSError) as error:
        print(f"cudabench: {error}", file=sys.stderr)
        return 4


def _report(result: Result, chosen: argparse.Namespace) -> int:
    if chosen.json:
        print(json.dumps(result.document | {"wrong": result.wrong}), flush=True)
    else:
        print(result.in_words(), flush=True)
    if result.wrong:
        return 1
    if chosen.update:
        write(result)
        return 0
    if not result.path.is_file():
        print(f"cudabench: {result.path} is missing; --update writes it", file=sys.stderr)
        return 0
    stale = differences(result)
    for line in stale:
        print(f"cudabench: {line}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
