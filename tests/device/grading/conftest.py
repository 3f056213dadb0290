"""Grades the candidates beside once; every test looks at what that left behind. Without a GPU: exit code 77."""

import ctypes
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Grading:
    build_dir: Path
    report: dict

    @property
    def manifest(self) -> dict:
        return load(self.build_dir / "cudabench" / "candidates" / "manifest.json")

    def result_file(self, name: str) -> Path:
        """Of the only scale of a candidate."""
        (case,) = [case for case in self.manifest["cases"] if case["candidate"]["name"] == name]
        return self.build_dir / case["result"]

    def result(self, name: str) -> dict:
        return load(self.result_file(name))

    def counted(self, name: str) -> dict:
        return load(self.result_file(name).with_suffix(".counters.json"))

    def program(self, task: str) -> Path:
        return self.build_dir / "cudabench" / "candidates" / "bin" / task

    def reported(self, name: str, report: dict | None = None) -> dict:
        (run,) = (report or self.report)["runs"]
        (case,) = [case for case in run["cases"] if case["candidate"]["name"] == name]
        return case

    def report_again(self) -> dict:
        process = cudabench("report", self.build_dir, "--json")
        return json.loads(process.stdout)


def load(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def cudabench(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "cudabench", *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env=os.environ | environment,
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--build-dir", type=Path, required=True, help="build tree in which the candidates are graded")


@pytest.fixture(scope="session")
def grading(request: pytest.FixtureRequest) -> Grading:
    try:
        has_gpu = ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        has_gpu = False
    if not has_gpu:
        pytest.exit("there is no GPU here", returncode=77)
    build_dir = request.config.getoption("--build-dir")
    candidates = Path(__file__).parent / "candidates"
    process = cudabench("evaluate", candidates, "--build-dir", build_dir, "--no-setup", "--json")
    assert process.returncode == 0
    return Grading(build_dir, json.loads(process.stdout))
