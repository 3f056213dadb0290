"""`cudabench doctor`: findings, their remedies, and what is written for CTest."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The command on a machine with the GPUs that are named, or with none.
START = f"""
import sys
sys.path.insert(0, {str(ROOT / "tools")!r})
from command import doctor, main
from command.gpus import Driver, Gpu

def ask_driver():
    if not names:
        raise OSError("libcuda.so.1: not there")
    return Driver("13.0", tuple(Gpu(name, f"GPU-5E1F-{{i}}", 80 << 30, "HMM" in name) for i, name in enumerate(names)))

names = [name for name in sys.argv.pop(1).split(",") if name]
doctor.ask_driver = ask_driver
sys.exit(main.main())
"""


def doctor(gpus: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", START, gpus, "doctor", *map(str, arguments)],
        env=os.environ | environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def lines(process: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """What is said of each finding."""
    return dict(line.split(maxsplit=1)[1].split(": ", 1) for line in process.stdout.splitlines())


def test_nothing_is_missing():
    process = doctor("NVIDIA H200,NVIDIA H200,NVIDIA L4")
    if "missing  Landlock" in process.stdout:
        pytest.skip("this kernel confines nothing")
    assert process.returncode == 0, process.stdout
    assert lines(process)["NVIDIA driver and GPUs"] == "2 NVIDIA H200, NVIDIA L4, driver for CUDA 13.0"


def test_everything_is_looked_at():
    assert set(lines(doctor("NVIDIA H200"))) == {
        "Python", "jinja2", "cmake", "ninja", "g++", "nvcc", "C++ libraries", "NVIDIA driver and GPUs",
        "performance counters", "host memory is out of kernels' reach", "Landlock", "seccomp", "disk",
    }  # fmt: skip


def test_a_gpu_that_reaches_all_memory_is_told():
    """As with heterogeneous memory management: cases run, but their kernels could look for the grader's answers."""
    closed, opened = doctor("NVIDIA L4"), doctor("NVIDIA L4,NVIDIA H200 with HMM")
    wall = "host memory is out of kernels' reach"
    assert lines(closed)[wall] == "yes"
    assert f"missing  {wall}: NVIDIA H200 with HMM can read and write all memory" in opened.stdout
    assert "uvm_disable_hmm=1" in lines(opened)[wall]
    assert opened.returncode == closed.returncode
    assert wall not in lines(doctor(""))


def test_without_a_gpu_candidates_are_built_but_not_run():
    process = doctor("")
    assert process.returncode == 3
    assert lines(process)["NVIDIA driver and GPUs"] == "libcuda.so.1: not there; install NVIDIA's driver"


def test_without_tools_nothing_is_built():
    process = doctor("NVIDIA H200", PATH="/nonexistent")
    assert process.returncode == 4
    found = lines(process)
    assert found["cmake"] == "apt-get install cmake"
    assert found["C++ libraries"] == "apt-get install g++ first"


def test_json_says_the_same():
    process = doctor("", "--json")
    assert process.returncode == 3
    content = json.loads(process.stdout)
    assert content["schema"] == 1
    findings = {finding["what"]: finding for finding in content["findings"]}
    assert findings["NVIDIA driver and GPUs"] == {
        "what": "NVIDIA driver and GPUs", "found": None, "needed_to": "run",
        "remedy": "libcuda.so.1: not there; install NVIDIA's driver",
    }  # fmt: skip
    assert findings["Python"]["found"]
    assert findings["Python"]["remedy"] is None
    assert {finding["needed_to"] for finding in findings.values()} == {"build", "run", "count"}


def test_resource_specification_names_gpus_by_uuid(tmp_path):
    file = tmp_path / "spec.json"
    process = doctor("NVIDIA H200,NVIDIA L4", "--resource-spec", file, "--slots", 3)
    assert process.returncode == 0
    assert process.stdout == f"{file}: 2 GPUs, 3 slots each; give it to ctest --resource-spec-file\n"
    assert json.loads(file.read_text()) == {
        "version": {"major": 1, "minor": 0},
        "local": [{"gpus": [{"id": "gpu_5e1f_0", "slots": 3}, {"id": "gpu_5e1f_1", "slots": 3}]}],
    }


def test_ctest_takes_the_specification(tmp_path):
    file = tmp_path / "spec.json"
    doctor("NVIDIA H200,NVIDIA L4", "--resource-spec", file)
    (tmp_path / "CTestTestfile.cmake").write_text(
        'add_test(one env)\nset_tests_properties(one PROPERTIES RESOURCE_GROUPS "gpus:1")\n'
    )
    command = ["ctest", "-V", "--test-dir", tmp_path, "--resource-spec-file", file]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
    assert "CTEST_RESOURCE_GROUP_0_GPUS=id:gpu_5e1f_" in process.stdout


def test_no_specification_without_a_gpu(tmp_path):
    process = doctor("", "--resource-spec", tmp_path / "spec.json")
    assert process.returncode == 3
    assert "there is no GPU to write a specification of: libcuda.so.1: not there" in process.stderr
    assert not (tmp_path / "spec.json").exists()


def test_a_place_that_cannot_be_written(tmp_path):
    process = doctor("NVIDIA H200", "--resource-spec", tmp_path / "absent" / "spec.json")
    assert process.returncode == 4
    assert "spec.json: No such file or directory" in process.stderr


def test_usage():
    assert doctor("", "--slots", "0").returncode == 2
