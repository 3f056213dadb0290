"""`cudabench memcheck` by the real CTest, with a script that stands for compute-sanitizer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Writes the log that compute-sanitizer writes, and runs the program. Like that it takes what the driver refused for a
# defect, unless it is told not to.
SANITIZER = """#!/bin/sh
log= api=explicit
while [ $# -gt 0 ]; do
    case "$1" in
    --log-file) log=$2; shift ;;
    --log-file=*) log=${1#--log-file=} ;;
    --report-api-errors) api=$2; shift ;;
    --tool | --target-processes) shift ;;
    -*) ;;
    *) break ;;
    esac
    shift
done
"$@"
echo "========= COMPUTE-SANITIZER" >"$log"
[ $api = no ] || echo '========= Program hit CUDA_ERROR_INVALID_VALUE on CUDA API call to cuInit.' >>"$log"
case "$*" in
*bad*) printf '========= Invalid __global__ read of size 4 bytes\\n=========     at add(float *)+0x70\\n' >>"$log" ;;
esac
echo "========= ERROR SUMMARY" >>"$log"
"""

# The command, on a machine that has a GPU.
START = f"""
import sys
sys.path.insert(0, {str(ROOT / "tools")!r})
from command import main, memcheck
from command.gpus import Gpu
memcheck.visible_gpus = lambda: (Gpu("GPU", "GPU-1", 0),)
sys.exit(main.main())
"""


@pytest.fixture
def memcheck(tmp_path):
    tree = Path(shutil.copytree(ROOT / "tests" / "command" / "ungraded", tmp_path / "tree"))
    tests = {"good.tiny": "good", "bad.tiny": "bad", "bad.huge": "bad"}
    case = (
        f'"{shutil.which("sh")}" -c "echo results in $CUDABENCH_RESULTS up to $CUDABENCH_STOP_AFTER >>{tmp_path}/log"'
    )
    (tree / "CTestTestfile.cmake").write_text(
        "".join(f'add_test("task.{name}" {case} {kind})\n' for name, kind in tests.items())
    )
    tool = tmp_path / "bin" / "compute-sanitizer"
    tool.parent.mkdir()
    tool.write_text(SANITIZER)
    tool.chmod(0o755)

    def start(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", START, "memcheck", "--build-dir", tree, *arguments],
            env=os.environ | {"PATH": f"{tool.parent}:{os.environ['PATH']}"},
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    return start


def test_defects_are_named_with_their_place(memcheck, tmp_path):
    process = memcheck("--tests", "tiny")
    assert process.returncode == 1, process.stderr
    assert "task.bad.tiny: 1 defect" in process.stdout
    assert "Invalid __global__ read of size 4 bytes" in process.stdout
    assert "at add(float *)+0x70" in process.stdout
    assert "2 cases checked, 1 with defects" in process.stdout
    assert "huge" not in process.stdout
    where = tmp_path / "tree" / "cudabench" / "candidates" / "memcheck"
    assert (tmp_path / "log").read_text() == f"results in {where} up to values\n" * 2


def test_nothing_is_found(memcheck):
    process = memcheck("--tests", "good")
    assert process.returncode == 0, process.stderr
    assert process.stdout == "1 case checked, 0 with defects\n"


def test_no_case_matches(memcheck):
    process = memcheck("--tests", "absent")
    assert process.returncode == 2
    assert "no case matches absent" in process.stderr


def test_without_the_tool_or_a_gpu(cudabench, tmp_path):
    tree = shutil.copytree(ROOT / "tests" / "command" / "ungraded", tmp_path / "tree")
    process = cudabench("memcheck", "--build-dir", tree, CUDA_VISIBLE_DEVICES="")
    assert process.returncode == 3
    assert process.stderr.startswith("cudabench: compute-sanitizer ")
    assert cudabench("memcheck", "--build-dir", tmp_path / "absent").returncode == 2
