"""cudabench_worker itself, a line after the other."""

import json
import subprocess
import time
from pathlib import Path

import pytest
from conftest import EXAMPLES

from grade.cache import Cache
from grade.commands import BuildCommands
from grade.compiler import Compiler
from grade.request import Request

TINY = {"task": "softmax", "scale": "tiny", "stop_after": "values"}


class WorkerProcess:
    def __init__(self, build: Path) -> None:
        command = [build / "bin" / "cudabench_worker", "--tasks", build / "cudabench_tasks" / "tasks.json"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.read()

    def tell(self, line: dict) -> None:
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()

    def read(self) -> dict:
        return json.loads(self._process.stdout.readline())

    def close(self) -> str:
        """What it had said beside the answers."""
        rest, _ = self._process.communicate(timeout=60)
        return rest

    def pages_of_children(self) -> int:
        """That the recorders, as far as they have ended, have touched (proc(5), cminflt): about as many each."""
        return int(Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[8])

    def settled_pages_of_children(self) -> int:
        looks = [self.pages_of_children()]
        while len(looks) < 200 and not (looks[-1] and looks[-1] == looks[-5:][0] and len(looks) > 5):
            time.sleep(0.05)
            looks.append(self.pages_of_children())
        return looks[-1]


@pytest.fixture
def worker(build_dir):
    started = []

    def start() -> WorkerProcess:
        started.append(WorkerProcess(build_dir))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture(scope="module")
def case(build_dir, tmp_path_factory) -> dict:
    compiler = Compiler(BuildCommands.of(build_dir), Cache(tmp_path_factory.mktemp("cache"), 1 << 30))
    compiled = compiler.compile(Request("k", "softmax", (EXAMPLES / "naive" / "softmax.cu").read_bytes()))
    return TINY | {
        "id": "candidate",
        "source": "softmax.cu",
        "module": str(compiled.module),
        "compile_record": str(compiled.record_path),
    }


def test_what_it_prepares_for_is_not_answered(worker, case):
    one = worker()
    one.tell(TINY | {"prepare": True})
    one.tell({"task": "prefix_sum", "scale": "tiny", "stop_after": "edge", "prepare": True})
    one.tell(case)
    assert one.read()["result"]["verdict"] == "pass"
    one.tell(case | {"seed": "0x5", "scale": "absent"})
    assert "absent" in one.read()["error"]
    assert one.close() == ""


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"task": "absent"}, "absent"), ({"scale": "vast"}, "vast"), ({"stop_after": 3}, "stop_after")],
)
def test_what_it_cannot_prepare_for_is(worker, case, wrong, message):
    one = worker()
    one.tell(TINY | wrong | {"prepare": True})
    assert message in one.read()["error"]
    one.tell(case)
    assert one.read()["result"]["verdict"] == "pass"


def test_the_reference_is_recorded_before_the_candidate_comes_and_not_again(worker, case, has_gpu):
    if not has_gpu:
        pytest.skip("without a GPU nothing is recorded ahead")
    plain = worker()
    plain.tell(case)
    assert plain.read()["result"]["verdict"] == "pass"
    whole = plain.pages_of_children()
    ahead = worker()
    ahead.tell(TINY | {"prepare": True})
    before = ahead.settled_pages_of_children()
    ahead.tell(case)
    assert ahead.read()["result"]["verdict"] == "pass"
    assert 0.5 * whole < before < 0.8 * whole, "the reference's share: 12 recordings of 19"
    assert 0.85 * whole < ahead.pages_of_children() < 1.15 * whole
