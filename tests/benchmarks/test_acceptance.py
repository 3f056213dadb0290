"""benchmarks/gpu_acceptance.py as far as it goes without a GPU, and what it compares results with."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from gpu_acceptance import PARTS, Part, perform  # noqa: E402


def expected_stages(tree: Path, expected: dict) -> subprocess.CompletedProcess:
    file = tree / "expected.json"
    file.write_text(json.dumps(expected))
    command = [sys.executable, BENCHMARKS / "expected_stages.py", tree, file]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path):
    """Of one candidate that passed and one that failed at one scale of two."""
    results = tmp_path / "cudabench/candidates/results"
    results.mkdir(parents=True)
    for name, scale, stage in [("a", "tiny", None), ("b", "tiny", None), ("b", "large", "values")]:
        result = {
            "case": f"{name}.{scale}",
            "candidate": {"name": name},
            "scale": scale,
            "stage": stage,
            "verdict": "fail" if stage else "pass",
            "message": "3 of 7 differ",
        }
        (results / f"{name}.{scale}.json").write_text(json.dumps(result))
    (results / "a.counters.json").write_text("{}")
    return tmp_path


def test_stages_as_expected(tree):
    done = expected_stages(tree, {"a": "pass", "b": {"tiny": "pass", "large": "values"}})
    assert (done.returncode, done.stdout) == (0, "3 cases, 0 not as expected, 0 candidates without a case\n")


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ({"a": "pass", "b": "pass"}, "b.large: expected pass, got values: 3 of 7 differ"),
        ({"a": "edge", "b": {"tiny": "pass", "large": "values"}}, "a.tiny: expected edge, got pass: 3 of 7 differ"),
        ({"a": "pass", "b": {"tiny": "pass", "large": "values"}, "c": "pass"}, "c: no case"),
        ({"b": {"tiny": "pass", "large": "values"}}, "a.tiny: expected not named, got pass: 3 of 7 differ"),
    ],
)
def test_stages_otherwise(tree, expected, line):
    done = expected_stages(tree, expected)
    assert done.returncode == 1
    assert line in done.stdout


def test_no_results_are_no_success(tmp_path):
    assert expected_stages(tmp_path, {}).returncode == 1


def test_commands_of_all_parts_exist():
    for part in PARTS:
        for command in part.commands:
            program = command.split()[1] if command.startswith("python3 ") else command.split()[0]
            found = os.access(ROOT / program, os.R_OK) if "/" in program else shutil.which(program)
            assert found, f"{part.name}: {program}"


def test_a_part_fails_with_its_command_and_ends_at_its_limit(tmp_path):
    (tmp_path / "logs").mkdir()
    part = Part("some", "that this works", 60, ("echo {work}", "echo two; exit 3"))
    done = perform(part, tmp_path)
    assert (done["passed"], done["exit_codes"]) == (False, [0, 3])
    assert (tmp_path / "logs/some.log").read_text() == f"{tmp_path}\ntwo\n"
    endless = perform(Part("endless", "that this ends", 1, ("sleep 600 | cat",)), tmp_path)
    assert endless["exit_codes"] == [124]
    assert endless["seconds"] < 60


@pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="there may be a GPU here")
def test_without_a_gpu_it_says_so(tmp_path):
    command = [BENCHMARKS / "gpu_acceptance.py", tmp_path / "acceptance"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "there is no GPU" in done.stderr
