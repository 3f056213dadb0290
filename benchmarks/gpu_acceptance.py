#!/usr/bin/env python3
"""Everything about the project that only a machine with a GPU can show, in one go.

    benchmarks/gpu_acceptance.py build/acceptance                        # all of it, about half an hour
    benchmarks/gpu_acceptance.py build/acceptance build device examples  # these parts, in this order
    CUDA_VISIBLE_DEVICES=1 benchmarks/gpu_acceptance.py build/acceptance references

Keeps build trees, a log a part and summary.json in the directory. A part that fails or reaches its time limit does not
stop the others. Exit code: 0, 1 if a part failed, 2 for wrong arguments, 3 without a GPU.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from command.gpus import visible_gpus

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = "candidates/examples"
TAIL = 15  # lines of a log that are shown


@dataclass(frozen=True)
class Part:
    name: str
    shows: str
    limit: int  # seconds; about three times what an H200 with 16 processor cores takes
    commands: tuple[str, ...]  # {work} is the directory
    at_once: bool = False


def evaluate(candidates: str, tree: str, *options: str) -> str:
    return " ".join(("./cudabench evaluate", candidates, "--no-setup --build-dir {work}/" + tree, *options))


PARTS = (
    Part(
        "build",
        "the three build trees that the others use",
        600,
        (
            "cmake -S . -B {work}/tests -G Ninja --log-level=WARNING && cmake --build {work}/tests",
            evaluate(EXAMPLES, "examples", "--build-only"),
            evaluate("references", "references", "--build-only"),
        ),
        at_once=True,
    ),
    Part(
        "device",
        "the tests that need a GPU",
        400,
        ("ctest --test-dir {work}/tests -L device -j 4 --output-on-failure --timeout 120",),
    ),
    Part(
        "examples",
        "every example ends in its stage, at all scales",
        300,
        (
            evaluate(EXAMPLES, "examples"),
            "benchmarks/expected_stages.py {work}/examples " + EXAMPLES + "/expected.json",
        ),
    ),
    Part(
        "references",
        "every reference passes as a candidate at all scales, with two seeds",
        600,
        (evaluate("references", "references", "--strict --jobs 6"),) * 2,
    ),
    Part(
        "repeatability",
        "ten runs of the tiny examples end alike",
        400,
        (r"benchmarks/repeatability.py {work}/examples --runs 10 -- -j 8 -R '\.tiny\.'",),
    ),
    Part(
        "parallel",
        "times at eight cases at a time are those of one at a time; what two GPUs gain",
        600,
        (r"benchmarks/parallel.py {work}/examples --jobs 8 --runs 5 -- -R '\.medium\..*(good|naive|cub)'",),
    ),
    Part(
        "memcheck",
        "compute-sanitizer finds nothing in good examples",
        200,
        (r"./cudabench memcheck --build-dir {work}/examples --jobs 8 --tests '\.tiny\.(good|naive|cub)'",),
    ),
    Part(
        "latency",
        "what grading one candidate takes above nvcc, over 1,000 requests",
        600,
        ("benchmarks/grade_latency.py --build-dir {work}/tests --mixed 1x40,8x1000 --gpus all",),
    ),
    Part(
        "tasks",
        "every task is sound by check-task on the GPU",
        600,
        ("./cudabench check-task --no-setup --build-dir {work}/tests",),
    ),
    Part(
        "ncu",
        "counted operations and bytes are those of Nsight Compute",
        200,
        ("python3 tests/device/counters/compare_with_ncu.py {work}/tests/bin/count_works",),
    ),
)


def main() -> int:
    arguments = parse()
    if not visible_gpus():
        print("there is no GPU; `./cudabench doctor` tells what is missing", file=sys.stderr)
        return 3
    work = arguments.work.resolve()
    (work / "logs").mkdir(parents=True, exist_ok=True)
    by_name = {part.name: part for part in PARTS}
    passed = {}
    for name in arguments.parts:
        passed[name] = perform(by_name[name], work)
        (work / "summary.json").write_text(json.dumps(passed, indent=1) + "\n", encoding="utf-8")
    failed = [name for name, part in passed.items() if not part["passed"]]
    print(f"failed: {', '.join(failed) or 'none'} of {len(passed)} parts; logs in {work / 'logs'}")
    return 1 if failed else 0


def parse() -> argparse.Namespace:
    parts = "\n".join(f"  {part.name:14} {part.shows}, at most {part.limit} s" for part in PARTS)
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="parts:\n" + parts, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("work", type=Path, help="directory for build trees and logs")
    names = [part.name for part in PARTS]
    parser.add_argument("parts", nargs="*", metavar="PART", help="default: all, in the order below")
    arguments = parser.parse_args()
    if wrong := [name for name in arguments.parts if name not in names]:
        parser.error(f"there is no part {wrong[0]}; the parts are {', '.join(names)}")
    arguments.parts = arguments.parts or names
    return arguments


def perform(part: Part, work: Path) -> dict[str, object]:
    print(f"{time.strftime('%T')} {part.name}: {part.shows}", flush=True)
    start = time.monotonic()
    deadline = start + part.limit
    log = work / "logs" / f"{part.name}.log"
    log.write_bytes(b"")
    commands = [command.format(work=work) for command in part.commands]
    with ThreadPoolExecutor(len(commands) if part.at_once else 1) as pool:
        codes = list(pool.map(lambda command: run(command, log, deadline), commands))
    seconds = round(time.monotonic() - start, 1)
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL:]:
        print(f"    {line}")
    print(f"{time.strftime('%T')} {part.name}: exit codes {codes}, {seconds} s", flush=True)
    return {"passed": not any(codes), "exit_codes": codes, "seconds": seconds}


def run(command: str, log: Path, deadline: float) -> int:
    """The exit code; 124 if it was ended at the deadline."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, shell=True, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            return process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return 124


if __name__ == "__main__":
    sys.exit(main())
