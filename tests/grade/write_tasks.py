"""Writes all tasks as C++ initialisers, one after the other, as generated test programs have them."""

import sys
from pathlib import Path

from generator.descriptor import cpp_task
from generator.task import load_tasks

tasks, output = map(Path, sys.argv[1:])
output.write_text("".join(f"{cpp_task(task)},\n" for task in load_tasks(tasks).values()), encoding="utf-8")
