"""Grades the examples once; every test looks at what that left behind."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "candidates" / "examples"


@dataclass(frozen=True)
class Grading:
    code: int
    report: dict
    results: dict[tuple[str, str], dict]  # by candidate's name and scale
    has_gpu: bool


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--build-dir", type=Path, required=True, help="build tree in which the examples are graded")


@pytest.fixture(scope="session")
def build_dir(request: pytest.FixtureRequest) -> Path:
    return request.config.getoption("--build-dir")


@pytest.fixture(scope="session")
def grading(build_dir: Path) -> Grading:
    command = [ROOT / "cudabench", "evaluate", EXAMPLES, "--build-dir", build_dir, "--no-setup", "--json"]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    results = {}
    for case in manifest(build_dir)["cases"]:
        file = build_dir / case["result"]
        if file.exists():
            results[case["candidate"]["name"], case["scale"]] = json.loads(file.read_text(encoding="utf-8"))
    has_gpu = any(result["device"]["uuid"] for result in results.values())
    return Grading(process.returncode, json.loads(process.stdout), results, has_gpu)


def manifest(build_dir: Path) -> dict:
    return json.loads((build_dir / "cudabench" / "candidates" / "manifest.json").read_text(encoding="utf-8"))
