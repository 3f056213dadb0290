#!/usr/bin/env python3
"""Measures what `cudabench grade` takes above nvcc, and whether the server grows.

    python3 benchmarks/grade_latency.py --build-dir build/tools > latency.json

One server, asked in rounds: --mixed 1x40,8x1000 are 40 requests one at a time and 1,000 of which eight are on their way
at any time, each round until --seconds have passed. Of them 5 % each do not compile, crash, hang, and fault on the
device; a share --fresh has a source that was never compiled before, so that nvcc runs. Between the rounds, all five
scales, verified and timed, and the same with counters; at last cold commands. 1,000 requests eight at once take two
GPUs (--gpus 0,1) and 32 CPUs about three minutes.

A table goes to standard error: of each kind the median and the 99th percentile with their ratio to the target, and by
step where the time went, for all and for the slowest twentieth; of the small ones also for those beside which nothing
faulted or ran without end on a device. All figures go to standard output as JSON. Exit code 1
if a reply is missing or wrong, or something has grown. Without a GPU the smallest scale alone is asked for, which the
CPU executor grades.
"""

import argparse
import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from command.gpus import visible_gpus

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "candidates" / "examples"
TASK = "softmax"
ALL_SCALES = ["tiny", "small", "medium", "large", "huge"]
GROWN_KIB = 32 << 10  # that is no leak: allocators keep what they had once
LOOKS = 60  # at a server, until it has come to rest


@dataclass(frozen=True)
class Kind:
    name: str
    source: str
    stage: str | None  # where it ends
    target: float | None  # seconds above nvcc, and above the limit that a hanging one reaches
    share: int = 0  # of a thousand mixed requests
    hangs: bool = False
    fields: dict[str, Any] = field(default_factory=dict)


TINY_PASSES = "tiny"
TINY = {"scales": ["tiny"], "stop_after": "values"}
MIXED = [
    Kind(TINY_PASSES, "naive/softmax.cu", None, 0.2, 800, fields=TINY),
    Kind("compile error", "not_compiling/softmax.cu", "compile", 0.05, 50, fields=TINY),
    Kind("crash", "host_crash/softmax.cu", "contract", 0.2, 50, fields=TINY),
    Kind("hang on host", "host_endless/softmax@tiny.cu", "contract", 0.2, 25, True, TINY),
    Kind("hang on device", "device_endless/softmax@tiny.cu", "launch", 0.2, 25, True, TINY),
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
    ended: float  # by time.monotonic()
    limit: float  # seconds, that a hanging one reaches
    reply: dict[str, Any]

    @property
    def name(self) -> str:
        return self.kind.name if self.fresh else f"{self.kind.name}, compiled before"

    @property
    def right(self) -> bool:
        verdict = "fail" if self.kind.stage else "pass"
        return (self.reply["verdict"], self.reply["stage"]) == (verdict, self.kind.stage)

    @property
    def nvcc(self) -> float:
        compiled = self.reply["compile"]
        return compiled["seconds"] if compiled and not compiled["cached"] else 0.0

    @property
    def above_nvcc(self) -> float:
        return self.wall - self.nvcc - (self.limit if self.kind.hangs else 0.0)

    def graded_beside(self, other: "Asked") -> bool:
        return self._graded_since < other.ended and other._graded_since < self.ended

    @property
    def _graded_since(self) -> float:
        return self.ended - self.reply["seconds"].get("grade", 0.0)

    @property
    def steps(self) -> dict[str, float]:
        """Where its time went, in seconds: by step of the reply, without nvcc, and of the grading by what the worker
        did."""
        steps = dict(self.reply["seconds"])
        if "compile" in steps:
            steps["compile"] -= self.nvcc
        spent = [case["spent"] for case in self.reply["cases"]]
        parts = dict.fromkeys(part for one in spent for part in one)  # not all cases are counted
        steps |= {f"grade: {part}": sum(one.get(part, 0) for one in spent) for part in parts}
        return steps | {"outside": self.wall - steps["total"]}


class Server:
    def __init__(self, build: Path, jobs: int, limit: float, gpus: str | None) -> None:
        """`limit`: seconds that host code and a recipe may take, so that hanging ones take no longer."""
        command = [ROOT / "cudabench", "grade", "--serve", "--tasks", TASK, "--build-dir", build, "--no-setup"]
        command += ["--gpus", gpus] if gpus else []
        self._build = build
        self._limit = limit
        self._temporary = tempfile.TemporaryDirectory()
        self._numbers = itertools.count()
        self.unmatched = 0  # replies to nothing that was asked
        self.process = subprocess.Popen(
            [*command, "--jobs", str(jobs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"TMPDIR": self._temporary.name},
        )

    def ask(self, kinds: Iterable[tuple[Kind, bool]], at_once: int, seconds: float = 1e9) -> list[Asked]:
        """Kinds, and whether each is fresh. At most `at_once` are on their way; none is sent after `seconds`."""
        left = iter(kinds)
        deadline = time.monotonic() + seconds
        sent: dict[int, tuple[Kind, bool, float]] = {}
        answered: list[Asked] = []
        while True:
            while len(sent) < at_once and time.monotonic() < deadline and (one := next(left, None)):
                number = next(self._numbers)
                line = json.dumps(self._request(one[0], number, one[1])).encode() + b"\n"
                sent[number] = (*one, time.monotonic())
                self.process.stdin.write(line)
                self.process.stdin.flush()
            if not sent:
                return answered
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"the server ended with {self.process.wait()}, {len(sent)} requests unanswered")
            reply = json.loads(line)
            if reply["id"] not in sent:
                self.unmatched += 1
                continue
            kind, fresh, since = sent.pop(reply["id"])
            ended = time.monotonic()
            answered.append(Asked(kind, fresh, ended - since, ended, self._limit, reply))

    def _request(self, kind: Kind, number: int, fresh: bool) -> dict[str, Any]:
        limits = {"host_seconds": self._limit, "device_seconds": self._limit}
        return {"id": number, "task": TASK, "source": source_of(kind, fresh), "limits": limits} | kind.fields

    def settled(self) -> dict[str, int]:
        """Its footprint when spare workers have started and others have gone, or after some patience."""
        looks = [self._footprint()]
        while len(looks) < LOOKS and not (len(looks) > 3 and looks[-1]["descriptors"] == looks[-4]["descriptors"]):
            time.sleep(0.5)
            looks.append(self._footprint())
        return looks[-1]

    def _footprint(self) -> dict[str, int]:
        place = Path("/proc", str(self.process.pid))
        status = (place / "status").read_text()
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        unfinished = len(list((self._build / "grade_cache").glob("unfinished-*")))
        temporary = len(list(Path(self._temporary.name).iterdir()))
        children = 0
        for task in (place / "task").iterdir():
            with contextlib.suppress(OSError):  # the thread has ended
                children += len((task / "children").read_text().split())
        return {
            "resident_kib": resident,
            "descriptors": len(list((place / "fd").iterdir())),
            "temporary_files": unfinished + temporary,
            "children": children,
        }

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self._temporary.cleanup()


def gpu_of(build: Path) -> str | None:
    """Its name, as a worker tells it when it is ready."""
    worker = [build / "bin" / "cudabench_worker", "--tasks", build / "cudabench_tasks" / "tasks.json"]
    process = subprocess.run(worker, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return json.loads(process.stdout)["device"]


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
        ended = time.monotonic()
        answered.append(Asked(COLD, True, ended - start, ended, 0.0, json.loads(process.stdout)))
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
    """By kind: above nvcc, and by step where the time went."""
    rows = {}
    groups = {
        name: [one for one in answered if one.name == name] for name in dict.fromkeys(one.name for one in answered)
    }
    for name, these in (groups | undisturbed(answered)).items():
        these.sort(key=lambda one: one.above_nvcc)
        rows[name] = figures((one.above_nvcc for one in these), these[0].kind.target) | {
            "steps": median_steps(these),
            "steps_of_the_slowest": median_steps(these[-max(1, len(these) // 20) :]),
        }
    again = [one.reply["seconds"]["compile"] for one in answered if not one.fresh and "compile" in one.reply["seconds"]]
    if again:
        rows["unchanged source, compile part"] = figures(again, COMPILE_PART)
    return rows


def undisturbed(answered: list[Asked]) -> dict[str, list[Asked]]:
    """The verdicts on small shapes beside which nothing faulted or ran without end: the GPU stops for all while the
    driver deals with the one, and shares its time with the other."""
    failing = [one for one in answered if one.kind.stage == "launch"]
    alone = [one for one in answered if one.kind.name == TINY_PASSES and not any(map(one.graded_beside, failing))]
    return {f"{TINY_PASSES}, no fault beside it": alone} if failing and alone else {}


def median_steps(answered: list[Asked]) -> dict[str, float]:
    steps = [one.steps for one in answered]
    names = dict.fromkeys(name for one in steps for name in one)
    return {name: median(one.get(name, 0.0) for one in steps) for name in names}


def table(title: str, rows: dict[str, Any]) -> None:
    print(title, file=sys.stderr)
    for name, row in rows.items():
        line = f"  {name:32}{row['count']:5}  median {row['median']:.3f} s  99 % {row['p99']:.3f} s"
        if "target" in row:
            line += f"  target {row['target']:.2f} s  ratio {row['median_to_target']:.2f} / {row['p99_to_target']:.2f}"
        print(line, file=sys.stderr)
        for which, steps in (("all", row.get("steps")), ("slowest", row.get("steps_of_the_slowest"))):
            if steps:
                parts = ", ".join(f"{step} {value:.3f}" for step, value in steps.items() if value >= 0.0005)
                print(f"          {which}: {parts}", file=sys.stderr, flush=True)


def rounds_of(text: str) -> list[tuple[int, int]]:
    """Of 1x40,8x1000: how many at once, and how many in all."""
    rounds = [re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", one) for one in text.split(",")]
    if not all(rounds):
        raise argparse.ArgumentTypeError(f"{text} is no list such as 1x40,8x1000")
    return [(int(one[1]), int(one[2])) for one in rounds]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mixed", type=rounds_of, default="1x40,4x1000", metavar="NxM,...",
                        help="rounds of mixed requests, N of M at once; default: %(default)s")  # fmt: skip
    parser.add_argument("--fresh", type=float, default=1.0, metavar="SHARE", help="of mixed requests; default: all")
    parser.add_argument("--seconds", type=float, default=1e9, help="that a round may take; default: no limit")
    parser.add_argument("--five", type=int, default=10, help="with five scales, and with counters; default: 10")
    parser.add_argument("--cold", type=int, default=10, help="cold commands; default: 10")
    parser.add_argument("--limit", type=float, default=0.5, metavar="SECONDS",
                        help="of host code and of a recipe, which hanging ones reach; default: 0.5")  # fmt: skip
    parser.add_argument("--gpus", metavar="GPU,...", help="of the server, or all; default: the server's")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "tools")
    arguments = parser.parse_args()
    build = arguments.build_dir.absolute()
    jobs = max(at_once for at_once, _ in arguments.mixed)

    if arguments.gpus == "all":
        arguments.gpus = ",".join(gpu.uuid for gpu in visible_gpus())
    server = Server(build, jobs, arguments.limit, arguments.gpus)
    first = server.ask([(kind, False) for kind in MIXED], jobs)  # all is compiled once
    gpu = gpu_of(build)
    timed = {"five scales": FIVE, "with counters": COUNTED} if gpu and arguments.five else {}
    server.ask([(kind, False) for kind in timed.values()], 1)
    rounds = {}
    for title, kind in timed.items():
        rounds[title] = server.ask([(kind, False)] * arguments.five, 1)
        table(title, latencies(rounds[title]))
    mixed_rounds = []
    for at_once, count in arguments.mixed:
        server.ask(mixed(2 * at_once, 0.0), at_once)  # what grows with the first requests at once is no leak
        before = server.settled()
        start = time.monotonic()
        title = f"{at_once} at once"
        rounds[title] = server.ask(mixed(count, arguments.fresh), at_once, arguments.seconds)
        wall = time.monotonic() - start
        table(title, latencies(rounds[title]))
        after = server.settled()
        mixed_rounds.append({
            "at_once": at_once,
            "requests": len(rounds[title]),
            "fresh": sum(one.fresh for one in rounds[title]),
            "seconds": wall,
            "before": before,
            "after": after,
            "grown": {name: after[name] - before[name] for name in after},
        })  # fmt: skip
    server.close()
    rounds["cold"] = cold(build, arguments.cold)
    table("cold", latencies(rounds["cold"]))

    answered = [*first, *(one for those in rounds.values() for one in those)]
    wrong = [
        {"kind": one.kind.name, "verdict": one.reply["verdict"], "said": one.reply["message"]}
        for one in answered
        if not one.right
    ]
    declared = {
        case["counters_reason"]
        for one in rounds.get("with counters", [])
        for case in one.reply["cases"]
        if case["counters"] != "measured"
    }
    nvcc = [one.reply["compile"]["seconds"] for one in answered if one.fresh and one.reply["compile"]]
    report = {
        "gpu": gpu,
        "gpus": arguments.gpus,
        "jobs": jobs,
        "mixed": mixed_rounds,
        "nvcc": figures(nvcc, None) if nvcc else None,
        "above_nvcc_seconds": {title: latencies(those) for title, those in rounds.items() if those},
        "not_counted": sorted(map(str, declared)),
        "answered": len(answered),
        "unmatched": server.unmatched,
        "wrong": wrong,
    }
    json.dump(report, sys.stdout, indent=1)
    say(report)
    leaks = [one for one in mixed_rounds if has_leaked(one["grown"])]
    return int(bool(wrong) or bool(leaks) or server.unmatched > 0)


def has_leaked(grown: dict[str, int]) -> bool:
    return grown["descriptors"] > 0 or grown["temporary_files"] > 0 or grown["resident_kib"] > GROWN_KIB


def say(report: dict[str, Any]) -> None:
    for one in report["mixed"]:
        print("{at_once} at once: {requests} requests in {seconds:.0f} s, {fresh} fresh; grown: {grown}".format(**one),
              file=sys.stderr)  # fmt: skip
    if report["nvcc"]:
        print("nvcc: median {median:.2f} s, 99 % {p99:.2f} s".format(**report["nvcc"]), file=sys.stderr)
    print(f"replies: {report['answered']}, {report['unmatched']} of no request, {len(report['wrong'])} wrong; "
          f"not counted: {report['not_counted']}", file=sys.stderr)  # fmt: skip
    for one in report["wrong"][:5]:
        print(f"  wrong: {one}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
