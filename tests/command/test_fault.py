"""Faults of the machine: exit code 4, one message with the remedy."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_build_tree_of_another_project(cudabench, tmp_path, answers):
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(other NONE)\n")
    tree = tmp_path / "tree"
    subprocess.run(["cmake", "-S", tmp_path, "-B", tree], check=True, capture_output=True)
    process = cudabench("evaluate", answers, "--no-setup", "--build-dir", tree)
    assert (process.returncode, process.stdout) == (4, "")
    assert "CMake could not configure tree, see above" in process.stderr
    assert "+ cmake -S" in process.stderr


def test_a_build_tree_where_none_can_be(cudabench, answers):
    """It has no size, and is not full."""
    process = cudabench("evaluate", answers, "--no-setup", "--build-dir", "/proc/1/tree")
    assert (process.returncode, process.stdout) == (4, "")
    assert process.stderr == "cudabench: /proc/1/tree: No such file or directory\n"


def test_cmake_is_not_installed(cudabench, tmp_path, answers):
    process = cudabench("evaluate", answers, "--no-setup", "--build-dir", tmp_path / "tree", PATH="/nonexistent")
    assert process.returncode == 4
    assert "cmake is not installed; `./cudabench doctor` tells what is missing" in process.stderr


def test_doctor_names_the_remedy(cudabench):
    process = cudabench("doctor", PATH="/nonexistent")
    assert process.returncode == 4
    assert "missing  cmake: apt-get install cmake" in process.stdout
    assert all(line.startswith(("ok ", "missing ")) for line in process.stdout.splitlines())


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("mounting a small file system needs root")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_full_disk_is_found_before_the_work(cudabench, small_disk, answers):
    process = cudabench("evaluate", answers, "--no-setup", "--build-dir", small_disk / "tree")
    assert (process.returncode, process.stdout) == (4, "")
    assert "the disk is full (1 MiB free); make room and run again" in process.stderr


def test_full_disk_while_writing_the_report_keeps_the_old_one(cudabench, small_disk, tmp_path):
    build = Path(shutil.copytree(ROOT / "tests" / "command" / "ungraded", small_disk / "tree"))
    run = build / "cudabench" / "candidates"
    assert cudabench("report", build).returncode == 0
    before = (run / "report.json").read_bytes()
    filler = small_disk / "filler"
    with pytest.raises(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    process = cudabench("report", build)
    assert process.returncode == 4
    assert "report.json: No space left on device; make room and run again" in process.stderr
    assert "CUDABench-Score" in process.stdout  # the report itself is shown
    assert (run / "report.json").read_bytes() == before
    assert not list(run.glob("*.part"))


def test_reader_that_has_seen_enough(tmp_path):
    command = f"{ROOT}/cudabench list | true; exit ${{PIPESTATUS[0]}}"
    process = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (0, "")
