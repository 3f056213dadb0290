#!/usr/bin/env python3
"""Measures what `cudabench grade` takes above nvcc, and whether the server grows.

    python3 benchmarks/grade_latency.py --build-dir build/tools > latency.json

One server, asked in four rounds: mixed requests one at a time; all five scales, verified and timed; the same with
counters; mixed requests, --at-once of them on their way, until there were --requests or --seconds have passed. Of the
mixed ones 5 % each do not compile, crash, hang, and fault on the device; a share --fresh of them has a source that was
never compiled before, so that nvcc runs. At last cold commands. A table with the ratio to each target goes to standard
error, all figures to standard output as JSON. Exit code 1 if a reply is missing or wrong, or something has grown.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "candidates" / "examples"
TASK = "softmax"
LIMITS = {"host_seconds": 0.5, "device_seconds": 0.5}  # so that the hanging ones take no longer
ALL_SCALES = ["tiny", "small", "medium", "large", "huge"]
GROWN_KIB = 32 << 10  # that is no leak: allocators keep what they had once


@dataclass(frozen=True)
class Kind:
    name: str
    source: str
    stage: str | None  # where it ends
    target: float | None  # seconds above nvcc, and above the limit that a hanging one reaches
    share: int = 0  # of a thousand mixed requests
    limit: float = 0.0
    fields: dict[str, Any] = field(default_factory=dict)


TINY = {"scales": ["tiny"], "stop_after": "values"}
MIXED = [
    Kind("tiny", "naive/softmax.cu", None, 0.2, 800, fields=TINY),
    Kind("compile error", "not_compiling/softmax.cu", "compile", 0.05, 50, fields=TINY),
    Kind("crash", "host_crash/softmax.cu", "contract", 0.2, 50, fields=TINY),
    Kind("hang on host", "host_endless/softmax@tiny.cu", "contract", 0.2, 25, LIMITS["host_seconds"], TINY),
    Kind("hang on device", "device_endless/softmax@tiny.cu", "launch", 0.2, 25, LIMITS["device_seconds"], TINY),
    Kind("fault on device", "device_out_of_bounds/softmax.cu", "launch", 0.2, 50, fields=TINY),
]
FIVE = Kind("five scales", "good/softmax.cu", None, 2.5, fields={"scales": ALL_SCALES})
COUNTED = Kind("with counters", "good/softmax.cu", None, 3.5, fields={"scales": ALL_SCALES, "counters": True})
COLD = Kind("cold command", "naive/softmax.cu", None, 1.0)
COMPILE_PART = 0.05  # seconds, target for a source that was compiled before


@dataclass(frozen=True)
class Asked:
    """A request that was answered."""

    kind: Kind
    fresh: bool
    wall: float
    reply: dict[str, Any]

    @property
    def name(self) -> str:
        return self.kind.name if self.fresh else f"{self.kind.name}, compiled before"

    @property
    def right(self) -> bool:
        verdict = "fail" if self.kind.stage else "pass"
        return (self.reply["verdict"], self.reply["stage"]) == (verdict, self.kind.stage)

    @property
    def above_nvcc(self) -> float:
        compiled = self.reply["compile"]
        nvcc = compiled["seconds"] if compiled and not compiled["cached"] else 0.0
        return self.wall - nvcc - self.kind.limit


class Server:
    def __init__(self, build: Path, jobs: int) -> None:
        command = [ROOT / "cudabench", "grade", "--serve", "--tasks", TASK, "--build-dir", build, "--no-setup"]
        self._build = build
        self._numbers = itertools.count()
        self.process = subprocess.Popen([*command, "--jobs", str(jobs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, kinds: Iterable[tuple[Kind, bool]], at_once: int, seconds: float = 1e9) -> list[Asked]:
        """Kinds, and whether each is fresh. At most `at_once` are on their way; none is sent after `seconds`."""
        left = iter(kinds)
        deadline = time.monotonic() + seconds
        sent: dict[int, tuple[Kind, bool, float]] = {}
        answered: list[Asked] = []
        while True:
            while len(sent) < at_once and time.monotonic() < deadline and (one := next(left, None)):
                number = next(self._numbers)
                line = json.dumps(request_of(one[0], number, one[1])).encode() + b"\n"
                sent[number] = (*one, time.monotonic())
                self.process.stdin.write(line)
                self.process.stdin.flush()
            if not sent:
                return answered
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"the server ended with {self.process.wait()}, {len(sent)} requests unanswered")
            reply = json.loads(line)
            kind, fresh, since = sent.pop(reply["id"])
            answered.append(Asked(kind, fresh, time.monotonic() - since, reply))

    def footprint(self) -> dict[str, int]:
        """Of the server; its workers come and go."""
        place = Path("/proc", str(self.process.pid))
        status = (place / "status").read_text()
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        unfinished = len(list((self._build / "grade_cache").glob("unfinished-*")))
        temporary = len(list(Path(tempfile.gettempdir()).glob("cudabench-*")))
        children = sum(len((task / "children").read_text().split()) for task in (place / "task").iterdir())
        return {
            "resident_kib": resident,
            "descriptors": len(list((place / "fd").iterdir())),
            "temporary_files": unfinished + temporary,
            "children": children,
        }

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def request_of(kind: Kind, number: int, fresh: bool) -> dict[str, Any]:
    return {"id": number, "task": TASK, "source": source_of(kind, fresh), "limits": LIMITS} | kind.fields


def source_of(kind: Kind, fresh: bool) -> str:
    source = (EXAMPLES / kind.source).read_text(encoding="utf-8")
    return source + f"\n// attempt {time.time_ns()}\n" if fresh else source


def mixed(count: int, fresh: float) -> Iterator[tuple[Kind, bool]]:
    """In their proportions, evenly spread: each time the kind that is most behind. So is what is fresh, in each."""
    done = dict.fromkeys((kind.name for kind in MIXED), 0)
    for number in range(1, count + 1):
        kind = max(MIXED, key=lambda one: one.share * number / 1000 - done[one.name])
        done[kind.name] += 1
        yield kind, int(done[kind.name] * fresh) > int((done[kind.name] - 1) * fresh)


def cold(build: Path, count: int) -> list[Asked]:
    """The command, started anew for each."""
    command = [ROOT / "cudabench", "grade", "-", "--task", TASK, "--scales", "tiny", "--stop-after", "values", "--json"]
    answered = []
    for _ in range(count):
        source = source_of(COLD, True).encode()
        start = time.monotonic()
        process = subprocess.run(
            [*command, "--build-dir", build, "--no-setup"], input=source, stdout=subprocess.PIPE, check=False
        )
        answered.append(Asked(COLD, True, time.monotonic() - start, json.loads(process.stdout)))
    return answered


def figures(values: Iterable[float], target: float | None) -> dict[str, float]:
    values = sorted(values)
    middle = median(values)
    p99 = quantiles(values, n=100, method="inclusive")[98] if len(values) > 1 else values[0]
    row = {"count": len(values), "median": middle, "p99": p99, "largest": values[-1]}
    return row | (
        {"target": target, "median_to_target": middle / target, "p99_to_target": p99 / target} if target else {}
    )


def latencies(answered: list[Asked]) -> dict[str, Any]:
    """By kind: above nvcc, and the median of what each step took."""
    rows = {}
    for name in dict.fromkeys(one.name for one in answered):
        these = [one for one in answered if one.name == name]
        steps = {step for one in these for step in one.reply["seconds"]}
        rows[name] = figures((one.above_nvcc for one in these), these[0].kind.target) | {
            "steps": {step: median(one.reply["seconds"].get(step, 0.0) for one in these) for step in sorted(steps)},
            "spent": spent(these),
        }
    again = [one.reply["seconds"]["compile"] for one in answered if not one.fresh and "compile" in one.reply["seconds"]]
    if again:
        rows["unchanged source, compile part"] = figures(again, COMPILE_PART)
    return rows


def spent(answered: list[Asked]) -> dict[str, float]:
    """Of the time in the worker, over all scales: the median of each part."""
    totals = [
        {part: sum(case["spent"][part] for case in one.reply["cases"]) for part in one.reply["cases"][0]["spent"]}
        for one in answered
        if one.reply["cases"]
    ]
    return {part: median(total[part] for total in totals) for part in totals[0]} if totals else {}


def table(title: str, rows: dict[str, Any]) -> None:
    print(title, file=sys.stderr)
    for name, row in rows.items():
        line = f"  {name:32}{row['count']:5}  median {row['median']:.3f} s  99 % {row['p99']:.3f} s"
        if "target" in row:
            line += f"  target {row['target']:.2f} s  ratio {row['median_to_target']:.2f} / {row['p99_to_target']:.2f}"
        print(line, file=sys.stderr)
        for parts in (row.get("steps"), row.get("spent")):
            if parts:
                print(" " * 10 + ", ".join(f"{part} {value:.3f}" for part, value in parts.items()), file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=1000, help="mixed ones, at once; default: 1000")
    parser.add_argument("--at-once", type=int, default=4, help="on their way, and jobs of the server; default: 4")
    parser.add_argument("--fresh", type=float, default=1.0, metavar="SHARE", help="of mixed requests; default: all")
    parser.add_argument("--seconds", type=float, default=1e9, help="that the mixed ones may take; default: no limit")
    parser.add_argument("--alone", type=int, default=60, help="mixed ones, one at a time; default: 60")
    parser.add_argument("--five", type=int, default=10, help="with five scales, and with counters; default: 10")
    parser.add_argument("--cold", type=int, default=10, help="cold commands; default: 10")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "tools")
    arguments = parser.parse_args()
    build = arguments.build_dir.absolute()

    server = Server(build, arguments.at_once)
    server.ask([(kind, False) for kind in (*MIXED, FIVE)], arguments.at_once)  # all is compiled once
    server.ask(mixed(3 * arguments.at_once, 0.0), arguments.at_once)
    rounds = {"alone": server.ask(mixed(arguments.alone, arguments.fresh), 1)}
    rounds["five scales"] = server.ask([(FIVE, False)] * arguments.five, 1)
    rounds["with counters"] = server.ask([(COUNTED, False)] * arguments.five, 1)
    time.sleep(2)
    before = server.footprint()
    start = time.monotonic()
    rounds["at once"] = server.ask(mixed(arguments.requests, arguments.fresh), arguments.at_once, arguments.seconds)
    wall = time.monotonic() - start
    time.sleep(2)
    after = server.footprint()
    server.close()
    rounds["cold"] = cold(build, arguments.cold)

    answered = [one for those in rounds.values() for one in those]
    wrong = [
        {"kind": one.kind.name, "verdict": one.reply["verdict"], "said": one.reply["message"]}
        for one in answered
        if not one.right
    ]
    declared = {
        case["counters_reason"]
        for one in rounds["with counters"]
        for case in one.reply["cases"]
        if case["counters"] != "measured"
    }
    grown = {name: after[name] - before[name] for name in after}
    report = {
        "at_once": arguments.at_once,
        "mixed_seconds": wall,
        "fresh": sum(one.fresh for one in rounds["at once"]),
        "nvcc": figures(
            (one.reply["compile"]["seconds"] for one in answered if one.fresh and one.reply["compile"]), None
        ),
        "above_nvcc_seconds": {title: latencies(those) for title, those in rounds.items() if those},
        "not_counted": sorted(map(str, declared)),
        "before": before,
        "after": after,
        "grown": grown,
        "wrong": wrong,
    }
    json.dump(report, sys.stdout, indent=1)
    for title, rows in report["above_nvcc_seconds"].items():
        table(title, rows)
    print(f"{len(rounds['at once'])} requests, {arguments.at_once} at once, in {wall:.0f} s; {report['fresh']} fresh; "
          f"nvcc median {report['nvcc']['median']:.2f} s; grown: {grown}; {len(wrong)} of {len(answered)} wrong; "
          f"not counted: {report['not_counted']}", file=sys.stderr)  # fmt: skip
    for one in wrong[:5]:
        print(f"  wrong: {one}", file=sys.stderr)
    leak = grown["descriptors"] > 0 or grown["temporary_files"] > 0 or grown["resident_kib"] > GROWN_KIB
    return int(bool(wrong) or leak)


if __name__ == "__main__":
    sys.exit(main())
