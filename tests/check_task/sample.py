"""A sample of the tasks: another one after each change of any. CUDABENCH_CHECK_ALL=1 takes all."""

import hashlib
import os

from check_task.result import identity

SIZE = 12


def sample(tasks, count=SIZE):
    if os.environ.get("CUDABENCH_CHECK_ALL") == "1":
        return list(tasks.values())
    state = "".join(map(identity, tasks.values()))
    return sorted(tasks.values(), key=lambda task: hashlib.sha256((state + task.name).encode()).digest())[:count]
