"""The benchmarks of latency run, and tell what they found."""

import json
import subprocess
import sys

from conftest import ROOT

BENCHMARKS = ROOT / "benchmarks"


def test_latencies_of_a_few_requests(build_dir):
    # A limit that no candidate of a slow machine reaches but those that hang.
    few = ["--mixed", "1x2,2x21", "--five", "1", "--cold", "1", "--fresh", "0.1", "--limit", "10"]
    process = subprocess.run(
        [sys.executable, BENCHMARKS / "grade_latency.py", "--build-dir", build_dir, *few],
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    report = json.loads(process.stdout)
    assert (report["unmatched"], report["wrong"]) == (0, [])
    assert [(one["at_once"], one["requests"]) for one in report["mixed"]] == [(1, 2), (2, 21)]
    assert all(one["grown"]["descriptors"] == 0 for one in report["mixed"])
    rows = report["above_nvcc_seconds"]["2 at once"]
    kinds = {name.removesuffix(", compiled before") for name in rows}
    assert {"tiny", "compile error", "crash", "fault on device"} <= kinds, "5 % of each"
    undisturbed = rows["tiny, no fault beside it"]["count"]
    assert (
        0 < undisturbed <= sum(row["count"] for name, row in rows.items() if name in ("tiny", "tiny, compiled before"))
    )
    for row in report["above_nvcc_seconds"]["cold"].values():
        assert 0 < row["median"] <= row["p99"]
        assert row["steps_of_the_slowest"]["total"] >= row["steps_of_the_slowest"]["grade"] > 0
    assert "tiny" in process.stderr
    assert "0 of no request, 0 wrong" in process.stderr


def test_rounds_that_make_no_sense(build_dir):
    process = subprocess.run(
        [sys.executable, BENCHMARKS / "grade_latency.py", "--build-dir", build_dir, "--mixed", "8"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.returncode == 2
    assert "8 is no list such as 1x40,8x1000" in process.stderr


def test_starts_of_workers(build_dir, has_gpu):
    process = subprocess.run(
        [
            sys.executable,
            BENCHMARKS / "worker_start.py",
            "--build-dir",
            build_dir,
            "--at-once",
            "2",
            "--seconds",
            "0.1",
        ],
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.returncode == (0 if has_gpu else 3), process.stderr
    row = json.loads(process.stdout)["by_at_once"]["2"]
    assert row["workers"] >= 2
    assert row["ready_largest"] >= row["ready_median"] > 0
