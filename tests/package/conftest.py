"""Outside projects that use CUDABench: configured, built and graded on the CPU as their owners would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from report.__main__ import load_runs
from report.document import Outcome

ROOT = Path(__file__).resolve().parents[2]
CMAKES = os.environ["CUDABENCH_CMAKES"].split(":")
BUILD = Path(os.environ["CUDABENCH_BUILD"])


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """What it prints; fails with that if the command fails."""
    finished = subprocess.run(
        command,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert finished.returncode == 0, finished.stdout
    return finished.stdout


class Project:
    def __init__(self, cmake: str, source: Path, build: Path) -> None:
        self.cmake = cmake
        self.build = build
        self._source = source

    def configure(self, **definitions: str | Path) -> str:
        launchers = {}
        if launcher := os.environ.get("CUDABENCH_LAUNCHER"):
            launchers["CMAKE_CXX_COMPILER_LAUNCHER"] = launcher
        words = {"Python3_EXECUTABLE": sys.executable, **launchers, **definitions}
        options = [f"-D{name}={value}" for name, value in words.items()]
        return run(self.cmake, "-S", self._source, "-B", self.build, "-G", "Ninja", *options)

    def make(self, *targets: str) -> str:
        return run(self.cmake, "--build", self.build, "-j", str(len(os.sched_getaffinity(0))), "--target", *targets)

    def ctest(self, *words: str) -> subprocess.CompletedProcess[str]:
        ctest = Path(self.cmake).with_name("ctest")
        return subprocess.run(
            [ctest, "--test-dir", self.build, *words],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"CUDABENCH_EXECUTOR": "cpu"},
        )

    def outcomes(self) -> dict[str, Outcome]:
        """By the candidates' names."""
        (graded,) = load_runs([self.build])
        return {outcome.case.candidate.name: outcome for outcome in graded.outcomes}


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Moved after it was installed: nothing in it may know where it was."""
    folder = tmp_path_factory.mktemp("installation")
    run(CMAKES[0], "--install", BUILD, "--prefix", folder / "first place")
    return (folder / "first place").rename(folder / "cudabench")


def version(cmake: str) -> str:
    return subprocess.run([cmake, "--version"], capture_output=True, text=True, check=True).stdout.split()[2]


@pytest.fixture(params=CMAKES, ids=version)
def cmake(request: pytest.FixtureRequest) -> str:
    return request.param
