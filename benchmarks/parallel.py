#!/usr/bin/env python3
"""What grading several cases at a time gains, on one GPU and on all, and whether times stay what they are alone.

    benchmarks/parallel.py build/grade --jobs 8 --runs 5
    benchmarks/parallel.py build/grade --jobs 8 -- -R '\\.medium\\.'

Runs the cases of a build tree of `cudabench evaluate` one at a time on the first GPU, then so many at a time on it,
then so many on each of all GPUs. Prints wall times with the ratio to the first, what cases wait for, the coefficient of
variation of the times of a case over the runs, and how far its median lies from that of the first. Exit code: 0, or 1
if a median of cases above 20 us differs by more than 1 %, or a stage changed.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from repeatability import LONG_ENOUGH, print_stages, run

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from command.gpus import visible_gpus, write_resource_spec

ACCEPTED = 0.01  # of the time alone


@dataclass(frozen=True)
class Way:
    name: str
    runs: list[dict[str, dict]]  # results by case, of each run
    seconds: float  # wall time of a run

    def times(self) -> dict[str, list[float]]:
        """Of cases that were timed in every run."""
        found: dict[str, list[float]] = {}
        for results in self.runs:
            for case, result in results.items():
                if result["measurement"]:
                    found.setdefault(case, []).append(result["measurement"]["seconds"])
        return {case: seen for case, seen in found.items() if len(seen) == len(self.runs)}


def main() -> int:
    arguments = parse()
    gpus = visible_gpus()
    if not gpus:
        sys.exit("there is no GPU; `./cudabench doctor` tells what is missing")
    jobs = arguments.jobs
    with tempfile.TemporaryDirectory() as folder:
        ways = [("1 at a time, 1 GPU", gpus[:1], 1), (f"{jobs} at a time, 1 GPU", gpus[:1], jobs)]
        if len(gpus) > 1:
            ways.append((f"{jobs} at a time on each of {len(gpus)} GPUs", gpus, jobs))
        done = []
        for name, own, slots in ways:
            spec = Path(folder) / "spec.json"
            write_resource_spec(spec, own, slots)
            words = [
                "-LE",
                "counters",
                "-j",
                str(slots * len(own)),
                "--resource-spec-file",
                str(spec),
                *arguments.ctest,
            ]
            done.append(measured(name, arguments.build_dir, words, arguments.runs))
    changed = print_stages([results for way in done for results in way.runs])
    far = sum(print_way(way, done[0]) for way in done)
    return 1 if changed or far else 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="arguments after -- go to ctest")
    parser.add_argument("build_dir", type=Path, help="a build tree of `cudabench evaluate`")
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1), help="default: %(default)s")
    parser.add_argument("--runs", type=int, default=5, help="of each way; default: %(default)s")
    words = sys.argv[1:]
    own, ctest = words, []
    if "--" in words:
        own, ctest = words[: words.index("--")], words[words.index("--") + 1 :]
    return argparse.Namespace(**vars(parser.parse_args(own)), ctest=ctest)


def measured(name: str, build_dir: Path, words: list[str], count: int) -> Way:
    start = time.monotonic()
    runs = [run(build_dir, words, index) for index in range(count)]
    return Way(name, runs, (time.monotonic() - start) / count)


def print_way(way: Way, alone: Way) -> int:
    """The number of cases whose time is not that of the cases alone."""
    results = [result for results in way.runs for result in results.values()]
    waiting = sorted(result["seconds"].get("waiting", 0.0) for result in results)
    uuids = {(result.get("device") or {}).get("uuid") for result in results} - {None, ""}
    print(
        f"{way.name}: {way.seconds:.1f} s a run, {alone.seconds / way.seconds:.2f} times as fast, "
        f"{len(uuids)} GPUs used"
    )
    print(f"  waiting for others: median {1e3 * statistics.median(waiting):.0f} ms, most {1e3 * waiting[-1]:.0f} ms")
    times = {case: seen for case, seen in way.times().items() if statistics.median(seen) >= LONG_ENOUGH}
    if not times:
        return 0
    if len(way.runs) > 1:
        variation = [statistics.stdev(seen) / statistics.fmean(seen) for seen in times.values()]
        print(f"  coefficient of variation: median {100 * statistics.median(variation):.2f} %, of {len(times)} cases")
    reference = alone.times()
    offsets = {
        case: statistics.median(seen) / statistics.median(reference[case]) - 1
        for case, seen in times.items()
        if case in reference
    }
    far = {case: offset for case, offset in offsets.items() if abs(offset) > ACCEPTED}
    print(
        f"  medians above {1e6 * LONG_ENOUGH:.0f} us: {len(far)} of {len(offsets)} differ by more than 1 % from alone"
    )
    for case, offset in sorted(far.items(), key=lambda item: -abs(item[1]))[:5]:
        print(f"    {100 * offset:+.2f} %  {case}")
    return len(far)


if __name__ == "__main__":
    sys.exit(main())
