"""`cudabench check-task`: for authors, whether a task is sound."""

import argparse
import os
import sys
from pathlib import Path

from command.build_tree import job_count
from command.checkout import ROOT, TOOLS_DIR, add_tasks_dir, chosen, python, shown, task_sets
from command.child import run
from command.ending import CommandError, Exit
from command.grading_tools import GradingTools
from generator.task import TaskError, load_task, tasks_of_set


def add_parser(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "check-task",
        help="show whether a task is sound, for its author",
        description="Compares the reference with the oracle, and shows that wrong answers are refused and honest ones "
        "are not: docs/task-authoring.md. Needs no GPU, but uses one if there is one.",
        epilog="exit codes: 0 sound, 1 something is wrong with a task, 2 usage or input, 4 fault of grader or machine.",
    )
    parser.add_argument("names", nargs="*", metavar="TASK", help="default: all, of --tasks-dir if it is given")
    add_tasks_dir(parser)
    extent = parser.add_mutually_exclusive_group()  # what is kept is what all checks found
    extent.add_argument("--update", action="store_true", help="write what was found to checks/, where CI compares it")
    extent.add_argument("--quick", action="store_true", help="sizes, prompts, reference and null models alone: seconds")
    parser.add_argument("--seeds", type=job_count, default=20, metavar="N", help="of honest variants; default: 20")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON, a line a task")
    jobs = max(1, (os.cpu_count() or 1) // 4)
    parser.add_argument(
        "--jobs", type=job_count, default=jobs, metavar="N", help="tasks at a time; default: %(default)s here"
    )
    parser.add_argument("--build-dir", type=Path, default=TOOLS_DIR, metavar="DIR", help=f"default: {shown(TOOLS_DIR)}")
    parser.add_argument("--no-setup", action="store_true", help="do not look for missing packages")
    parser.set_defaults(start=check)


def check(arguments: argparse.Namespace) -> int:
    try:
        sets = [tasks_of_set(directory) for directory in task_sets()]
        files = {
            path.stem: path for directory in sets or [ROOT / "tasks"] for path in sorted(directory.glob("*/*.toml"))
        }
        paths = [files[name] for name in chosen(arguments.names, "task", files) or files]
        for path in paths:
            load_task(path)
    except TaskError as error:
        raise CommandError(Exit.INPUT, str(error)) from error
    tools = GradingTools(arguments.build_dir, task_sets())
    tools.ensure([path.stem for path in paths], setup=not arguments.no_setup)
    command = [python(), "-P", "-m", "check_task", *paths, "--build", tools.directory, "--seeds", str(arguments.seeds)]
    command += ["--jobs", str(arguments.jobs)]
    command += [f"--{option}" for option in ("update", "quick", "json") if getattr(arguments, option)]
    path = os.pathsep.join([str(ROOT / "tools"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return run(command, to=sys.stdout, extra={"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"})
