"""`python -m generator update` writes what readers want to see of the tasks; `check` says whether it is up to date.

contracts/<task>.h: how a candidate is called; prompts/<task>/level{1,2,3}.md: what a model is asked;
domains/<domain>.md: what the tasks of a domain are and cost; catalogue.json: the list of tasks.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .catalogue import catalogue
from .contract import contract_header
from .definition import Task
from .errors import TaskError
from .files import Folder
from .pages import domain_page
from .prompts import LEVELS, prompt
from .task import load_tasks

FOLDERS = ("contracts", "domains", "prompts")


def documents(tasks: dict[str, Task]) -> dict[str, str]:
    """The texts by their places in the output folder."""
    texts = {"catalogue.json": catalogue(tasks.values())}
    for task in tasks.values():
        texts[f"contracts/{task.name}.h"] = contract_header(task)
        for level in LEVELS:
            texts[f"prompts/{task.name}/level{level}.md"] = prompt(task, level)
    for domain in sorted({task.domain for task in tasks.values()}):
        of_domain = [task for task in tasks.values() if task.domain == domain]
        texts[f"domains/{domain}.md"] = domain_page(domain, of_domain)
    return texts


def update(tasks: dict[str, Task], output: Path) -> None:
    folder = Folder(output)
    for place, text in documents(tasks).items():
        folder.write(place, text)
    folder.remove_others(*FOLDERS)


def differences(tasks: dict[str, Task], output: Path) -> list[str]:
    """What is missing, different or left over in the output folder, one line each."""
    expected = documents(tasks)
    present = {file.relative_to(output).as_posix(): file for file in output.rglob("*") if file.is_file()}
    lines = [f"{output / place}: is missing" for place in expected if place not in present]
    lines += [
        f"{present[place]}: differs from what the tasks say"
        for place, text in expected.items()
        if place in present and present[place].read_bytes() != text.encode()
    ]
    return lines + [f"{present[place]}: belongs to no task" for place in present if place not in expected]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m generator", description=__doc__)
    parser.add_argument("action", choices=("update", "check"))
    parser.add_argument("--tasks", type=Path, required=True, metavar="DIR", help="the folder of <domain>/<task>.toml")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR")
    chosen = parser.parse_args(arguments)
    try:
        tasks = load_tasks(chosen.tasks)
    except TaskError as error:
        print(error, file=sys.stderr)
        return 2
    if chosen.action == "update":
        update(tasks, chosen.output)
        return 0
    lines = differences(tasks, chosen.output)
    if lines:
        print(*lines, "refresh them by: cmake --build <build> --target update-generated", sep="\n", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
