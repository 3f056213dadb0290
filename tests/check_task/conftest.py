"""The tasks of the project, and the tools of this build tree."""

import os
import subprocess
from pathlib import Path

import pytest
from sample import sample

from generator.definition import Task
from generator.task import load_tasks

ROOT = Path(__file__).resolve().parents[2]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--build-dir", type=Path, help="build tree whose tools are used; without it nothing is performed")


@pytest.fixture(scope="session")
def tasks() -> dict[str, Task]:
    return load_tasks(ROOT / "tasks")


@pytest.fixture(scope="session")
def build_dir(request: pytest.FixtureRequest) -> Path:
    build = request.config.getoption("--build-dir")
    if build is None:
        pytest.skip("needs --build-dir")
    os.environ["CUDABENCH_EXECUTOR"] = "cpu"
    return build


@pytest.fixture(scope="session")
def quick_check(
    tasks: dict[str, Task], build_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> subprocess.CompletedProcess[str]:
    """Of a sample, whose references are built after it. In a directory of which no module is loaded."""
    directory = tmp_path_factory.mktemp("modules")
    (directory / "json.py").write_text("raise SystemExit('a module of the current directory was loaded')\n")
    names = [task.name for task in sample(tasks)]
    options = ["--quick", "--no-setup", "--jobs", "2", "--build-dir", build_dir]
    command = [ROOT / "cudabench", "check-task", *names, *options]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
