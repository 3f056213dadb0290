"""`cudabench list` and `cudabench prompts`: what there is to answer and to grade."""

import argparse
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from command.checkout import GRADE_DIR, ROOT, add_tasks_dir, chosen, shown, tasks
from command.ending import CommandError, Exit
from report.__main__ import load_runs

LEVELS = (1, 2, 3)


def add_parsers(commands: argparse._SubParsersAction) -> None:
    lists = commands.add_parser("list", help="list tasks, or the cases of a build tree")
    lists.add_argument("what", nargs="?", choices=("tasks", "cases"), default="tasks")
    lists.add_argument("--build-dir", type=Path, default=GRADE_DIR, metavar="DIR", help=f"default: {shown(GRADE_DIR)}")
    add_tasks_dir(lists)
    lists.set_defaults(start=list_all)

    prompts = commands.add_parser(
        "prompts",
        help="print the prompt of a task",
        description="Prints the prompts that ask a model for a candidate. Level 1 gives algorithm and hardware "
        "guidance, level 2 the algorithm, level 3 the name; each states the exact interface. Without TASK the files "
        "are listed.",
    )
    prompts.add_argument("task", nargs="?", metavar="TASK")
    prompts.add_argument("--level", type=int, choices=LEVELS, help="default: all")
    add_tasks_dir(prompts)
    prompts.set_defaults(start=print_prompts)


def list_all(arguments: argparse.Namespace) -> int:
    if arguments.what == "tasks":
        rows = [(task.name, task.domain, task.title) for task in tasks().values()]
    else:
        runs = load_runs([arguments.build_dir])
        rows = [
            (o.case.id, o.case.task, o.case.scale, o.case.candidate.name, str(o.verdict))
            for run in runs
            for o in run.outcomes
        ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    return Exit.DONE


def print_prompts(arguments: argparse.Namespace) -> int:
    levels = [arguments.level] if arguments.level else LEVELS
    names = chosen([arguments.task], "task", tasks()) if arguments.task else tasks()
    several = len(levels) > 1
    own = [name for name in names if not tasks()[name].path.is_relative_to(ROOT / "tasks")]
    if own:
        _print_own(own, levels, arguments.task)
    names = [name for name in names if name not in own]
    files = [ROOT / "generated" / "prompts" / name / f"level{level}.md" for name in names for level in levels]
    for file in files:
        if not file.is_file():
            raise CommandError(Exit.FAULT, f"{file}: is missing; the target update-generated writes it")
        if arguments.task:
            text = file.read_text(encoding="utf-8")
            sys.stdout.write(f"level {file.stem[-1]}\n\n{text}\n" if several else text)
        else:
            print(shown(file))
    return Exit.DONE


def _print_own(names: Iterable[str], levels: Sequence[int], wanted: str | None) -> None:
    """Of a set of one's own, whose prompts are in no file."""
    try:
        from generator.prompts import prompt  # needs Jinja2, which the command has only after its setup
    except ImportError as error:
        raise CommandError(Exit.FAULT, f"{error.name} is not installed: Debian package python3-jinja2") from error
    for name in names:
        for level in levels:
            if wanted:
                text = prompt(tasks()[name], level)
                sys.stdout.write(f"level {level}\n\n{text}\n" if len(levels) > 1 else text)
            else:
                directory = shlex.quote(str(tasks()[name].path.parents[2]))
                print(f"./cudabench prompts {name} --level {level} --tasks-dir {directory}")
