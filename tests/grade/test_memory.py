"""Where the machine has too little memory, the kernel ends processes: the candidate's, though it is not at fault."""

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import COMMAND
from test_grade import wait_for


@pytest.fixture
def little_memory() -> Iterator[list[str]]:
    """What begins a command whose processes have 512 MiB together; skips where that needs more rights."""
    for top, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        group = Path(top, f"cudabench-test-{os.getpid()}")
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            (group / limit).open("r+").write(str(512 << 20))
            yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"]
            return
        except OSError:
            continue
        finally:
            wait_for(lambda group=group: not remains(group))
    pytest.skip("needs a control group")


def remains(group: Path) -> bool:
    """While a process of it still ends."""
    with contextlib.suppress(OSError):
        group.rmdir()
    return group.exists()


GREEDY = {
    "compiler": """#define A(x) x, x, x, x, x, x, x, x
__device__ double table[] = {A(A(A(A(A(A(A(clock() + 1.0)))))))};
""",
    "host": """#include <cstring>
#include <cstdlib>
extern "C" void solve(const float*, float*, int, int) {
    for (;;)
        std::memset(std::malloc(1 << 20), 1, 1 << 20);
}
""",
}


@pytest.mark.parametrize("what", GREEDY)
def test_a_lack_of_memory_is_not_the_candidates_fault(little_memory, build_dir, tmp_path, what):
    source = tmp_path / "softmax.cu"
    source.write_text(f"{GREEDY[what]}// {time.time_ns()}\n")
    command = [*little_memory, *COMMAND, source, "--json", "--scales", "tiny", "--build-dir", build_dir]
    process = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    answer = json.loads(process.stdout)
    assert (process.returncode, answer["verdict"]) == (4, "fault"), answer["message"]
    assert "memory ran out" in answer["message"]
