"""The C++ text of a task, compiled against the harness's own header and read back."""

import os
import subprocess
from pathlib import Path

from generator.descriptor import cpp_task
from generator.task import load_task

ROOT = Path(__file__).parents[2]

READ_BACK = r"""
#include "case/task.h"
#include <cstdio>
const cudabench::Task task = %s;
int main() {
    const auto number = [](auto value) { return static_cast<long long>(value); };
    const auto& check = task.outputs.at(0).check;
    const auto& huge = task.scales.at(4);
    const auto& values = huge.input_values.at(0);
    std::printf("%%s %%s %%s\n", task.name.c_str(), task.domain.c_str(), task.hash.c_str());
    std::printf("%%lld %%lld %%lld\n", number(task.dims.size()), number(task.scales.size()), number(task.edges.size()));
    std::printf("%%a %%lld %%g %%g %%d\n", task.params.at(0), number(values.kind), values.a, values.b,
                values.drift);
    std::printf("%%lld %%lld\n", number(huge.input_integers.at(0).kind), number(task.inputs.at(1).dtype));
    std::printf("%%g %%g\n", huge.input_values.at(1).b, task.edges.at(2).input_integers.at(1).b);
    std::printf("%%d %%d %%g ", check.exact, check.exact_on_integers, check.factor);
    std::printf("%%g %%g\n", check.rms_factor, check.ulps);
    std::printf("%%s %%lld %%lld ", huge.name.c_str(), number(huge.dims.at(0)), number(huge.dims.at(1)));
    std::printf("%%lld %%lld ", number(huge.input_elements.at(0)), number(huge.input_elements.at(1)));
    std::printf("%%lld %%g ", number(huge.output_elements.at(0)), huge.output_terms.at(0));
    std::printf("%%g %%g\n", huge.model.fp32, huge.floor.read_bytes);
    std::printf("%%s\n", task.edges.at(2).name.c_str());
}
"""


def test_values_arrive(task_set, tmp_path):
    task = load_task(task_set.replace("b = 9", 'b = "cols - 1"'))
    source, program = tmp_path / "task.cpp", tmp_path / "task"
    source.write_text(READ_BACK % cpp_task(task))
    flags = [
        "-std=c++20",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wconversion",
        "-Wshadow",
        "-Werror",
        "-I",
        ROOT / "harness",
    ]
    subprocess.run([os.environ.get("CXX", "c++"), *flags, source, "-o", program], check=True)
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    assert lines == [
        f"scaled_rows examples {task.hash}",
        "2 5 3",
        "0x1.99999ap-4 1 0 1 1",
        "2 2",
        "127 30",
        "0 0 4 0.5 2",
        "huge 5 128 640 43 639 32 4480 2560",
        "edge_7x31",
    ]
