"""The header that calls candidates: its text, and what nvcc says of right and wrong candidates."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from generator.contract import MARKER, contract_header
from generator.task import load_task, load_tasks

ROOT = Path(__file__).parents[2]
NVCC = os.environ.get("NVCC") or shutil.which("nvcc")

MAIN = "void solve(const float* input, const int* shift, float* output, int rows, int cols, float alpha)"
OTHER = "void solve(const float* input, const int* shift, float* output, int rows, long long cols)"


def test_lists_the_prototypes(task_set):
    header = contract_header(load_task(task_set.file))
    comment = [line for line in header.splitlines() if line.startswith("//")]
    assert f'//   extern "C" {MAIN}' in comment
    assert any(line.startswith("//   or") and line.endswith(OTHER) for line in comment)
    assert f'"{MAIN} or {OTHER}"' in header


def test_values_go_where_they_belong(task_set):
    header = contract_header(load_task(task_set.file))
    call = "".join(header.split("cudabench_function(")[1].split(";")[0].split())
    assert call == (
        "static_cast<float*>(cudabench_buffers[0]),static_cast<int*>(cudabench_buffers[1]),"
        "static_cast<float*>(cudabench_buffers[2]),static_cast<int>(cudabench_dims[0]),"
        "static_cast<int>(cudabench_dims[1]),static_cast<float>(cudabench_params[0]))"
    )


def compile_candidate(task_set, tmp_path, source, *flags):
    if not NVCC:
        pytest.skip("needs nvcc")
    (tmp_path / "contract.h").write_text(contract_header(load_task(task_set.file)))
    (tmp_path / "candidate.cu").write_text(source + '\n#include "contract.h"\n')
    command = [NVCC, "-std=c++17", "-arch=sm_90", "-c", "candidate.cu", "-o", "candidate.o", *flags]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)


KERNEL = "__global__ void kernel(float* output) { output[0] = 1; }\n"

MACROS = """
#include <algorithm>
#include <vector>
using namespace std;
#define N 3
#define type int
#define value 4
#define min(a, b) ((a) < (b) ? (a) : (b))
#define buffers 1
#define dims 2
#define params 3
"""
LAUNCH = "{ kernel<<<1, 1>>>(output); }"
QUALIFIED = """
extern "C" void solve(const float* __restrict__ input, const int* const shift, float* __restrict__ output,
                      const int rows, const int cols, const float alpha) noexcept"""

ACCEPTED = {
    "main prototype": f'extern "C" {MAIN} {LAUNCH}',
    "other prototype without const and linkage": f"{OTHER.replace('const ', '')} {LAUNCH}",
    "restrict, const values, noexcept": f"{QUALIFIED} {LAUNCH}",
    "macros and using": f'{MACROS} extern "C" {MAIN} {LAUNCH}',
    "in a namespace, made visible": f"namespace mine {{ {MAIN} {LAUNCH} }}\nusing mine::solve;",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(task_set, tmp_path, name):
    result = compile_candidate(task_set, tmp_path, KERNEL + ACCEPTED[name])
    assert result.returncode == 0, result.stderr
    symbols = subprocess.run(["nm", tmp_path / "candidate.o"], capture_output=True, text=True, check=True).stdout
    assert " T cudabench_call" in symbols
    assert "cudabench_magnitude" not in symbols


def test_reference_also_has_its_magnitude(task_set, tmp_path):
    source = f"{KERNEL}{MAIN} {{ kernel<<<1, 1>>>(output); }}\n" + MAIN.replace("solve", "magnitude") + " {}"
    result = compile_candidate(task_set, tmp_path, source, "-DCUDABENCH_REFERENCE")
    assert result.returncode == 0, result.stderr
    symbols = subprocess.run(["nm", tmp_path / "candidate.o"], capture_output=True, text=True, check=True).stdout
    assert " T cudabench_magnitude" in symbols


REFUSED = {
    "an argument less": (
        'extern "C" void solve(const float* input, float* output, int rows) { kernel<<<1, 1>>>(output); }',
        "void (const float *, float *, int)",
    ),
    "another order": (
        "void solve(const int* shift, const float* input, float* output, int rows, int cols, float alpha) {}",
        "void (const int *, const float *, float *, int, int, float)",
    ),
    "a result": (
        MAIN.replace("void", "int", 1) + " { return 0; }",
        "int (const float *, const int *, float *, int, int, float)",
    ),
    "no solve": ("void resolve(float* output) { kernel<<<1, 1>>>(output); }", "defines no function solve"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_both_types(task_set, tmp_path, name):
    source, actual = REFUSED[name]
    result = compile_candidate(task_set, tmp_path, KERNEL + source)
    assert result.returncode != 0
    assert MARKER in result.stderr
    assert MAIN in result.stderr
    assert OTHER in result.stderr
    assert actual in result.stderr


@pytest.mark.parametrize("task", load_tasks(ROOT / "tasks").values(), ids=lambda task: task.name)
def test_reference_compiles_with_its_contract(task, tmp_path):
    if not NVCC:
        pytest.skip("needs nvcc")
    (tmp_path / "contract.h").write_text(contract_header(task))
    (tmp_path / "reference.cu").write_text(f'#include "{task.reference_path}"\n#include "contract.h"\n')
    command = [
        NVCC,
        "-std=c++17",
        "-arch=sm_90",
        "-DCUDABENCH_REFERENCE",
        "-Werror",
        "all-warnings",
        "-Xcompiler=-Wall,-Wextra",
    ]
    result = subprocess.run(
        [*command, "-c", "reference.cu", "-o", "reference.o"], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
