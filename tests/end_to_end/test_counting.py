"""The counting pass of a test program."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Grading, manifest


def program(build_dir: Path, task: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [build_dir / "cudabench" / "candidates" / "bin" / task, *arguments],
        cwd=build_dir, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False,
    )  # fmt: skip


def test_counting_without_a_gpu_says_so_and_loses_nothing(grading: Grading, build_dir: Path) -> None:
    if grading.has_gpu:
        pytest.skip("there is a GPU")
    (case,) = [case for case in manifest(build_dir)["cases"]
               if case["candidate"]["name"] == "good/softmax" and case["scale"] == "tiny"]  # fmt: skip
    file = build_dir / case["result"]
    before = file.read_bytes()
    assert json.loads(before)["verdict"] == "pass"
    process = program(build_dir, "softmax", "--counters", f"--gtest_filter=softmax.{case['id']}")
    assert process.returncode == 77, process.stdout
    assert "not counted: needs a GPU" in process.stdout
    assert file.read_bytes() == before
    assert not file.with_suffix(".counters.json").exists()


def test_only_passed_cases_are_counted(grading: Grading, build_dir: Path) -> None:
    process = program(build_dir, "softmax", "--counters", "--gtest_filter=softmax.*host_endless*")
    assert process.returncode == 77, process.stdout
    assert "not counted: the case has not passed" in process.stdout


def test_what_ends_the_counting_process_is_told(grading: Grading, build_dir: Path, tmp_path: Path) -> None:
    """A driver that aborts where it is loaded: only the counting process loads it."""
    if grading.has_gpu or not (compiler := shutil.which("g++")):
        pytest.skip("there is a GPU, or no g++ to make a driver")
    source = "#include <cstdlib>\n__attribute__((constructor)) static void end() { std::abort(); }"
    library = tmp_path / "libcuda.so.1"
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c++", "-", "-o", library], input=source, text=True, check=True)
    (case,) = [case for case in manifest(build_dir)["cases"]
               if case["candidate"]["name"] == "good/softmax" and case["scale"] == "tiny"]  # fmt: skip
    name = f"softmax.{case['id']}"
    process = program(build_dir, "softmax", "--counters", f"--gtest_filter={name}", LD_LIBRARY_PATH=str(tmp_path))
    assert process.returncode == 1, process.stdout
    assert "the counting process was ended by signal 6 (Aborted)" in process.stdout
    assert "was not counted, see above" in process.stdout
