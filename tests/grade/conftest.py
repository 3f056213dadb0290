"""The command on the tools of this build tree, and sources of every kind."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "candidates" / "examples"
COMMAND = [str(ROOT / "cudabench"), "grade", "--no-setup"]
TASKS = ["softmax", "prefix_sum"]  # whose references the test builds


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--build-dir", type=Path, required=True, help="build tree whose tools are used")


@pytest.fixture(scope="session")
def build_dir(request: pytest.FixtureRequest) -> Path:
    """Its tools are built, as the command does it on first use."""
    build = request.config.getoption("--build-dir")
    process = subprocess.run(
        [*COMMAND, "--build-dir", build, "--serve", "--tasks", ",".join(TASKS)],
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert process.returncode == 0
    return build


@pytest.fixture(scope="session")
def has_gpu(build_dir: Path) -> bool:
    worker = [build_dir / "bin" / "cudabench_worker", "--tasks", build_dir / "cudabench_tasks" / "tasks.json"]
    process = subprocess.run(worker, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return json.loads(process.stdout)["device"] is not None


@pytest.fixture
def grade(build_dir: Path, tmp_path: Path):
    """Grades one file; the exit code, and the reply where there is one."""

    def start(*arguments: object, build: Path = build_dir, **options: object) -> tuple[int, dict | None]:
        process = subprocess.run(
            [*COMMAND, *map(str, arguments), "--build-dir", build, "--json"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            check=False,
            timeout=300,
            **options,
        )
        return process.returncode, json.loads(process.stdout) if process.stdout else None

    return start


class ServerProcess:
    def __init__(self, build: Path, *arguments: object, **environment: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "--serve", "--tasks", ",".join(TASKS), "--build-dir", build, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | environment,
        )

    def send(self, *requests: object) -> None:
        for request in requests:
            line = request if isinstance(request, bytes) else json.dumps(request).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict:
        return json.loads(self.process.stdout.readline())

    def ask(self, request: object) -> dict:
        self.send(request)
        return self.receive()

    def children(self) -> list[int]:
        """Living processes below the server."""
        return descendants(self.process.pid)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> tuple[int, list[dict]]:
        """Ends the input: the exit code, and the replies that were not received."""
        self.process.stdin.close()
        rest = [json.loads(line) for line in self.process.stdout]
        self.process.stdout.close()
        return self.process.wait(60), rest


@pytest.fixture
def serve(build_dir: Path):
    started = []

    def start(*arguments: object, **environment: str) -> ServerProcess:
        started.append(ServerProcess(build_dir, *arguments, **environment))
        return started[-1]

    yield start
    for server in started:
        below = server.children()
        server.process.kill()
        server.process.wait()
        for pid in below:
            if Path(f"/proc/{pid}").exists():
                os.kill(pid, signal.SIGKILL)


def descendants(ancestor: int) -> list[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    below = {ancestor}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return sorted(below - {ancestor})


SOURCES = {
    "good": (EXAMPLES / "naive" / "softmax.cu").read_text(encoding="utf-8"),
    "wrong": (EXAMPLES / "naive" / "softmax.cu").read_text(encoding="utf-8").replace("/ sum;", "/ sum + 0.01f;"),
    "not_compiling": (EXAMPLES / "not_compiling" / "softmax.cu").read_text(encoding="utf-8"),
    "wrong_signature": (EXAMPLES / "wrong_signature" / "softmax.cu").read_text(encoding="utf-8"),
    "crashing": (EXAMPLES / "host_crash" / "softmax.cu").read_text(encoding="utf-8"),
    "hanging": (EXAMPLES / "host_endless" / "softmax@tiny.cu").read_text(encoding="utf-8"),
}
