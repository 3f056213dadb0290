"""What a suite of 31,500 cases costs beside its grading in CMake, ninja and CTest, against targets and plain layouts.

Makes a task set and a directory of candidates, configures tests/cmake/suite with them, builds with stand-ins that
compile nothing, and lists the cases. Beside the wall time stands the CPU time, which is what counts on a busy machine.

    python3 benchmarks/scale.py [--tasks 126] [--files 50] [--cmake PROGRAM] [--folder DIR]
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCALES = 5
SHARD = 5000  # cases
MODELS = ("gpt-x", "claude y", "llama", "qwen", "own")

STAND_IN = """#!/bin/sh
# Stands in for compilers, linkers and cudabench-compile: makes their outputs, empty.
while [ $# -gt 0 ]; do
    case "$1" in
    -o) : > "$2"; output=$2 ;;
    -MF) dependencies=$2 ;;
    esac
    shift
done
[ -z "$dependencies" ] || echo "$output:" > "$dependencies"
"""


@dataclass(frozen=True)
class Cost:
    wall: float
    cpu: float


def cost_of(*command: str | Path, times: int = 1) -> Cost:
    """Of a command; the cheapest of several runs."""

    def once() -> Cost:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        finished = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        wall = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if finished.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{finished.stdout[-4000:]}")
        return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    return min((once() for _ in range(times)), key=lambda cost: cost.cpu)


class Bench:
    def __init__(self, folder: Path, cmake: str) -> None:
        self.folder = folder
        self.cmake = cmake
        self.ctest = str(Path(cmake).with_name("ctest")) if "/" in cmake else "ctest"
        self.tasks: list[str] = []

    def write(self, tasks: int, files: int) -> None:
        """Copies of CUDABench's tasks under other names, and `files` candidates for each."""
        originals = sorted((ROOT / "tasks").glob("*/*.toml"))
        for number in range(tasks):
            original = originals[number % len(originals)]
            domain, name = original.parent.name, f"{original.stem}_{number:03d}"
            text = re.sub(r"^aliases = .*$", "", original.read_text(), flags=re.MULTILINE)
            self._write(f"set/tasks/{domain}/{name}.toml", text)
            reference = ROOT / "references" / domain / f"{original.stem}.cu"
            self._write(f"set/references/{domain}/{name}.cu", reference.read_text())
            self._write(f"set/references/oracles/{domain}.py", "")
            self.tasks.append(name)
            for k in range(files):
                place = f"{MODELS[k % len(MODELS)]}/level2/{name}.s{k // len(MODELS)}.cu"
                self._write(f"candidates/{place}", "")
        self._write("bin/cudabench-compile", STAND_IN).chmod(0o755)
        self._write("bin/runtime.so", "")

    def _write(self, place: str, text: str) -> Path:
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def configure(self, build: str, source: Path, **definitions: str | Path) -> Cost:
        stand_in = self.folder / "bin" / "cudabench-compile"
        words = {
            "Python3_EXECUTABLE": sys.executable,
            "CMAKE_CXX_COMPILER_LAUNCHER": stand_in,
            "CMAKE_CXX_LINKER_LAUNCHER": stand_in,
            "CMAKE_CUDA_COMPILER_LAUNCHER": stand_in,
            **definitions,
        }
        options = [f"-D{name}={value}" for name, value in words.items()]
        return cost_of(self.cmake, "-S", source, "-B", self.folder / build, "-G", "Ninja", *options)

    def suite(self, build: str, *arguments: str) -> Cost:
        return self.configure(
            build,
            ROOT / "tests" / "cmake" / "suite",
            CUDABENCH_ROOT=ROOT,
            CUDABENCH_BUILD=self.folder,
            CUDABENCH_RUNTIME=self.folder / "bin" / "runtime.so",
            TASK_SETS=self.folder / "set",
            ARGUMENTS=";".join(["DIRECTORY", str(self.folder / "candidates"), *arguments]),
        )

    def plain(self, build: str, body: str, languages: str) -> Cost:
        """A project as one writes it by hand: everything in one directory."""
        head = f"cmake_minimum_required(VERSION 3.25...4.4)\nproject(plain LANGUAGES {languages})\nenable_testing()\n"
        source = self._write(f"{build}_source/CMakeLists.txt", head + body).parent
        return self.configure(build, source, CMAKE_CUDA_ARCHITECTURES="90")

    def build(self, build: str) -> Cost:
        cost_of(self.cmake, "--build", self.folder / build)
        return cost_of(self.cmake, "--build", self.folder / build, times=3)

    def listing(self, folder: str, cases: int | None = None, times: int = 3) -> Cost:
        command = [self.ctest, "-N", "--test-dir", self.folder / folder]
        if cases is not None:
            listed = subprocess.run([*command, "-LE", "counters"], capture_output=True, text=True, check=True).stdout
            assert f"Total Tests: {cases}\n" in listed, listed[-200:]
        return cost_of(*command, times=times)


def row(what: str, cost: Cost, target: float | None = None, plain: Cost | None = None) -> bool:
    """Prints a measurement; whether it is within its target."""
    good = target is None or min(cost.wall, cost.cpu) <= target
    words = [f"{what:<58}{cost.wall:8.2f}{cost.cpu:8.2f}", f"{target:8.2f}" if target else " " * 8]
    words.append(f"{cost.cpu / plain.cpu:8.2f}" if plain and plain.cpu else " " * 8)
    print("".join(words) + ("" if good else "  missed"), flush=True)
    return good


def measure(bench: Bench, tasks: int, files: int) -> bool:
    cases = tasks * files * SCALES
    machine = f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} CPUs"
    print(f"{cases} cases of {tasks * files} files for {tasks} tasks; {machine}")
    print(f"{'seconds':<58}{'wall':>8}{'CPU':>8}{'target':>8}{'/ plain':>8}")
    sources = "".join(f"add_library(m{i} MODULE a.cu)\n" for i in range(tasks * files))
    tests = "".join(f"add_test(NAME t{i} COMMAND x --case={i})\n" for i in range(cases))
    discovered = "include(GoogleTest)\n" + "".join(
        f"add_executable(e{i} a.cpp)\ngtest_discover_tests(e{i})\n" for i in range(tasks * files)
    )
    bench._write("modules_source/a.cu", "")
    bench._write("discovered_source/a.cpp", "")
    modules = bench.plain("modules", sources + tests, "CXX CUDA")
    row("plain: a MODULE a file, add_test a case; configure", modules)
    modules_noop = bench.build("modules")
    row("plain: the same; no-op build", modules_noop)
    modules_listing = bench.listing("modules")
    row("plain: the same; ctest -N", modules_listing)
    row("plain: an executable a file, gtest_discover_tests; configure", bench.plain("discovered", discovered, "CXX"))

    results = [row("configure and generate", bench.suite("build"), 10, modules)]
    row(
        "again, nothing changed",
        cost_of(bench.cmake, "-S", ROOT / "tests" / "cmake" / "suite", "-B", bench.folder / "build"),
    )
    results.append(row("no-op build", bench.build("build"), 2, modules_noop))
    one = f"build/cudabench/mine/build/{bench.tasks[0]}"
    results.append(row(f"ctest -N of one task, {files * SCALES} cases", bench.listing(one, files * SCALES), 0.05))
    shard = min(tasks, SHARD // (files * SCALES))
    bench.suite("shard", "TASKS", *bench.tasks[:shard])
    results.append(
        row(f"ctest -N of {shard * files * SCALES} cases", bench.listing("shard", shard * files * SCALES), 1)
    )
    row("ctest -N of all cases", bench.listing("build", times=1), None, modules_listing)
    return all(results)


def main() -> int:
    """Exit codes: 0 all within the targets, 1 not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=126)
    parser.add_argument("--files", type=int, default=50, help="candidates for each task; default: %(default)s")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--folder", type=Path, help="is kept; default: a temporary one")
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="cudabench-scale-"))
    try:
        bench = Bench(folder.absolute(), arguments.cmake)
        bench.write(arguments.tasks, arguments.files)
        return 0 if measure(bench, arguments.tasks, arguments.files) else 1
    finally:
        if not arguments.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
