"""What a GPU's grading leaves in results, counters files and report."""

import ctypes
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Grading, cudabench, load

PR_CAPBSET_DROP, CAP_SYS_ADMIN, CAP_PERFMON = 24, 21, 38
HOSTS_SHARE = 20e-3  # seconds that these candidates' host code takes at least
PLAIN = "plain/softmax@tiny"
ALL = ("host_part/prefix_sum@medium", "host_whole/prefix_sum@medium", PLAIN)


@pytest.mark.parametrize("name", ["host_part/prefix_sum@medium", "host_whole/prefix_sum@medium"])
def test_the_time_includes_what_the_host_computes(grading: Grading, name: str) -> None:
    result = grading.result(name)
    assert result["verdict"] == "pass"
    assert result["host_dependent"]
    assert result["measurement"]["host_gaps"]
    assert HOSTS_SHARE <= result["measurement"]["seconds"] < 100 * HOSTS_SHARE  # a busy machine takes longer
    assert result["scores"]["speed_of_light"] < 1e-2


def test_work_is_counted(grading: Grading) -> None:
    elements = 36 * 128
    counts = grading.counted(PLAIN)["counts"]
    # A difference, a sum and a product an element at least, two exponential functions, and sums of 256 threads a row.
    assert 4 * elements <= counts["fp32"] <= 100 * elements
    # The input is read once from DRAM, the output may stay in the L2.
    assert 4 * elements <= counts["dram_bytes_read"] <= 4 * elements + 2e6
    assert counts["fp64"] == counts["tensor_tf32"] == 0
    assert 1e-6 < counts["seconds"] < 1e-3
    assert 1e8 < counts["sm_hz"] < 4e9


def test_what_a_host_dependent_candidate_does_is_counted(grading: Grading) -> None:
    elements = 4_000_000
    part = grading.counted("host_part/prefix_sum@medium")
    assert part["counters"] == "measured"
    assert part["host_dependent"]
    # The input is read twice, of which the second time may find it in the L2.
    assert 0.98 * 4 * elements <= part["counts"]["dram_bytes_read"] <= 1.05 * 8 * elements + 2e6
    assert part["counts"]["fp64"] >= 2 * 10 * elements


def test_host_code_that_takes_more_than_is_recorded_ahead(grading: Grading) -> None:
    result = grading.result("lavish/matrix_copy@tiny")
    assert result["verdict"] == "pass", result["message"]
    assert not result["host_dependent"]


def test_host_code_that_fails_with_a_later_shape(grading: Grading) -> None:
    result = grading.result("late_crash/reduction@tiny")
    assert (result["verdict"], result["stage"]) == ("fail", "contract")
    assert re.search("host code crashed: SIGABRT; shape .*N = 257", result["message"]), result["message"]


def test_the_report_has_what_was_counted(grading: Grading) -> None:
    for name in ALL:
        case, counted, result = grading.reported(name), grading.counted(name), grading.result(name)
        assert (case["counters"], case["counters_reason"]) == ("measured", None)
        assert case["work"] == counted["work"]
        assert case["work"]["source"] == "counters"
        assert case["performance"] == pytest.approx(counted["attainable_seconds"] / result["measurement"]["seconds"])
        assert case["speed_of_light"] == result["scores"]["speed_of_light"]
        assert _attainable(result) == pytest.approx(result["scores"]["attainable_seconds"])
        assert counted["seconds"] < 3


def test_marks(grading: Grading) -> None:
    """A tiny case is bound by its launch. A time in which the counted work cannot be done is not believed."""
    assert "launch_bound" in grading.result(PLAIN)["marks"]
    assert "launch_bound" in grading.reported(PLAIN)["marks"]
    name = "host_part/prefix_sum@medium"
    assert "implausible" not in grading.reported(name)["marks"]
    file = grading.result_file(name)
    before = file.read_text(encoding="utf-8")
    result = json.loads(before)
    result["measurement"]["seconds"] = grading.counted(name)["attainable_seconds"] / 2
    file.write_text(json.dumps(result), encoding="utf-8")
    try:
        case = grading.reported(name, grading.report_again())
    finally:
        file.write_text(before, encoding="utf-8")
    assert "implausible" in case["marks"]
    assert case["counters"] == "declared"
    assert re.match(r"what was counted takes at least \S+ s, the case took \S+ s", case["counters_reason"])


def test_the_program_tells_counts_with_their_units(grading: Grading) -> None:
    process = count(grading)
    assert process.returncode == 0, process.stdout
    assert re.search(r"[\d.e+]+ FLOP, [\d.e+]+ bytes of DRAM in [\d.e-]+ s, Performance-Score 0\.\d+", process.stdout)


def test_several_processes_count_one_after_the_other(grading: Grading) -> None:
    """The hardware serves one profiler at a time, and each of these needs the GPU several times."""
    programs = [grading.program(task) for task in ("softmax", "prefix_sum") * 3]
    files = [grading.result_file(name).with_suffix(".counters.json") for name in ALL]
    for file in files:
        file.unlink()
    processes = [
        subprocess.Popen([program, "--counters"], cwd=grading.build_dir, stdout=subprocess.PIPE, text=True)
        for program in programs
    ]
    for process in processes:
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output
    assert [load(file)["counters"] for file in files] == ["measured"] * len(ALL)


def test_counters_that_cannot_be_loaded(grading: Grading) -> None:
    """The model's work stands, and everything says why."""
    try:
        process = count(grading, CUDABENCH_CUPTI="/nowhere/libcupti.so.13")
        assert process.returncode == 77
        expect_declared(grading, "none of /nowhere/libcupti.so.13 can be loaded")
        doctor = cudabench("doctor", CUDABENCH_CUPTI="/nowhere/libcupti.so.13")
        assert "missing  performance counters: CUDABENCH_CUPTI names /nowhere/libcupti.so.13" in doctor.stdout
        assert doctor.returncode == cudabench("doctor").returncode
    finally:
        count(grading)
    assert grading.counted(PLAIN)["counters"] == "measured"


def test_counters_that_the_driver_denies(grading: Grading) -> None:
    """Where only administrators may count, as somebody who is none."""
    parameters = Path("/proc/driver/nvidia/params").read_text(encoding="utf-8")
    if "RmProfilingAdminOnly: 1" not in parameters:
        pytest.skip("the driver lets everybody count")
    if os.geteuid() != 0:
        pytest.skip("only an administrator can become somebody else")
    try:
        process = count(grading, without_capabilities)
        assert process.returncode == 77, process.stdout
        expect_declared(grading, "lets only administrators use performance counters")
        doctor = subprocess.run(
            [sys.executable, ROOT / "tools" / "command", "doctor"],
            env=os.environ | {"PYTHONPATH": str(ROOT / "tools"), "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE, text=True, check=False, preexec_fn=without_capabilities,
        )  # fmt: skip
        assert "missing  performance counters: the driver allows them to administrators only" in doctor.stdout
        assert "NVreg_RestrictProfilingToAdminUsers=0" in doctor.stdout
    finally:
        count(grading)


def _attainable(result: dict) -> float:
    """T(model) from the result alone."""
    work, peaks = result["work"], result["device"]["nominal"]
    pipes = {"bytes": "bandwidth", "tensor": "tensor_tf32"} | {pipe: pipe for pipe in ("fp32", "fp64", "sfu", "int32")}
    return max(work[pipe] / peaks[peak] for pipe, peak in pipes.items() if work[pipe])


def count(grading: Grading, prepare=None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [grading.program("softmax"), "--counters"],
        cwd=grading.build_dir, env=os.environ | environment, preexec_fn=prepare,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip


def without_capabilities() -> None:
    """In the child: the same user, who may write files, without what counting needs."""
    libc = ctypes.CDLL(None)
    for capability in (CAP_SYS_ADMIN, CAP_PERFMON):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def expect_declared(grading: Grading, why: str) -> None:
    counted = load(grading.result_file(PLAIN).with_suffix(".counters.json"))
    assert counted["counters"] == "declared"
    assert why in counted["reason"]
    assert "doctor" in counted["reason"] or "package" in counted["reason"]
    assert counted["work"] is None
    case = grading.reported(PLAIN, grading.report_again())
    assert case["counters"] == "declared"
    assert why in case["counters_reason"]
    assert case["work"] == grading.result(PLAIN)["work"]
    assert case["verdict"] == "pass"
    assert case["performance"] == grading.result(PLAIN)["scores"]["performance"]
