"""Writes a task of each domain as a C++ initialiser, one after the other, as generated test programs have them. Not all
tasks: compilers take minutes for so much data in one function."""

import sys
from pathlib import Path

from generator.descriptor import cpp_task
from generator.task import load_tasks

tasks, output = map(Path, sys.argv[1:])
by_domain = {task.domain: task for task in load_tasks(tasks).values()}
output.write_text("".join(f"{cpp_task(task)},\n" for task in by_domain.values()), encoding="utf-8")
