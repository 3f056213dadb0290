#!/usr/bin/env python3
"""How repeatable the grading of a suite is: verdicts, times and costs over several runs with fresh seeds.

    benchmarks/repeatability.py build/grade --runs 5
    benchmarks/repeatability.py build/grade --runs 10 -- -LE scale=huge

Prints the cases whose stage changed between runs, the coefficient of variation of the others' times, and where the
time of a case goes. Exit code: 0, or 1 if a stage changed.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

LONG_ENOUGH = 20e-6  # seconds: shorter times are of the size of the timer's steps


def main() -> int:
    arguments = parse()
    runs = [run(arguments.build_dir, arguments.ctest, index) for index in range(arguments.runs)]
    print(f"{arguments.runs} runs of {len(runs[0])} cases")
    changed = print_stages(runs)
    print_variation(runs)
    print_costs([result for results in runs for result in results.values() if result["verdict"] == "pass"])
    return 1 if changed else 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog="arguments after -- go to ctest, e.g. -- -j 8 -LE scale=huge"
    )
    parser.add_argument("build_dir", type=Path, help="a build tree of `cudabench evaluate`")
    parser.add_argument("--runs", type=int, default=5)
    words = sys.argv[1:]
    own, ctest = words, []
    if "--" in words:
        own, ctest = words[: words.index("--")], words[words.index("--") + 1 :]
    return argparse.Namespace(**vars(parser.parse_args(own)), ctest=ctest)


def run(build_dir: Path, arguments: list[str], index: int) -> dict[str, dict]:
    """The results of one run, by case."""
    before = {file: file.stat().st_mtime_ns for file in result_files(build_dir)}
    subprocess.run(["ctest", "--test-dir", build_dir, *arguments], stdout=subprocess.DEVNULL, check=False)
    results = {}
    for file in result_files(build_dir):
        if file.stat().st_mtime_ns != before.get(file):
            result = json.loads(file.read_text(encoding="utf-8"))
            results[result["case"]] = result
    print(f"run {index + 1}: {len(results)} cases", file=sys.stderr, flush=True)
    if not results:
        sys.exit(f"{build_dir}: no case ran; give a build tree of `cudabench evaluate` with cases that match")
    return results


def result_files(build_dir: Path) -> Iterator[Path]:
    return (file for file in build_dir.glob("cudabench/*/results/*.json") if not file.name.endswith(".counters.json"))


def stage(result: dict) -> str:
    return result["stage"] or result["verdict"]


def print_stages(runs: list[dict[str, dict]]) -> int:
    """The number of cases that did not end in one stage."""
    stages = defaultdict(list)
    for results in runs:
        for case, result in results.items():
            stages[case].append(stage(result))
    changed = {case: seen for case, seen in stages.items() if len(set(seen)) > 1 or len(seen) != len(runs)}
    print(f"stage changed: {len(changed)} of {len(stages)} cases")
    for case, seen in changed.items():
        print(f"  {case}: {', '.join(seen)}")
    return len(changed)


def print_variation(runs: list[dict[str, dict]]) -> None:
    times = defaultdict(list)
    for results in runs:
        for case, result in results.items():
            if result["measurement"]:
                times[case].append(result["measurement"]["seconds"])
    variation = {
        case: statistics.stdev(seen) / statistics.fmean(seen)
        for case, seen in times.items()
        if len(seen) == len(runs) > 1 and statistics.fmean(seen) >= LONG_ENOUGH
    }
    if not variation:
        return
    ordered = sorted(variation.items(), key=lambda item: item[1])
    print(f"coefficient of variation of times above {LONG_ENOUGH * 1e6:.0f} us, {len(ordered)} cases:")
    print(
        f"  median {100 * statistics.median(variation.values()):.2f} %, above 1 %: "
        f"{sum(value > 0.01 for value in variation.values())}"
    )
    for case, value in ordered[-5:]:
        print(f"  {100 * value:6.2f} %  {case}  {statistics.fmean(times[case]) * 1e6:.1f} us")


def print_costs(passed: list[dict]) -> None:
    """Median milliseconds of each part of a case."""
    if not passed:
        return
    parts = passed[0]["seconds"]
    medians = (f"{part} {1e3 * statistics.median(result['seconds'][part] for result in passed):.1f}" for part in parts)
    print(f"median cost of a passing case, ms: {', '.join(medians)}")


if __name__ == "__main__":
    sys.exit(main())
