"""Measures what `cudabench grade` takes above nvcc, and whether the server grows.

    python3 benchmarks/grade_latency.py --requests 1000 > latency.json

Each request has a source of its own (a comment differs), so that nvcc runs for each, but for those of the kind
`unchanged`. Of the others 5 % each do not compile, crash, hang, and fault on the device. A table goes to standard
error, all figures to standard output as JSON. Exit code 1 if a reply is missing or wrong, or something has grown.
"""

import argparse
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "candidates" / "examples"
TASK = "softmax"
LIMITS = {"host_seconds": 1.0, "device_seconds": 1.0}
ALL_SCALES = ["tiny", "small", "medium", "large", "huge"]
VERDICTS = {
    "tiny": {"pass"}, "unchanged": {"pass"}, "five scales": {"pass"}, "compile error": {"fail"}, "crash": {"fail"},
    "hang on host": {"fail"}, "hang on device": {"fail"}, "fault on device": {"fail"},
}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    name: str
    source: Path
    per_mille: int
    fields: dict[str, Any] = field(default_factory=dict)


TINY = {"scales": ["tiny"], "stop_after": "values"}
KINDS = [
    Kind("tiny", EXAMPLES / "naive" / "softmax.cu", 600, TINY),
    Kind("unchanged", EXAMPLES / "naive" / "softmax.cu", 100, TINY),
    Kind("five scales", EXAMPLES / "good" / "softmax.cu", 100, {"scales": ALL_SCALES}),
    Kind("compile error", EXAMPLES / "not_compiling" / "softmax.cu", 50, TINY),
    Kind("crash", EXAMPLES / "host_crash" / "softmax.cu", 50, TINY),
    Kind("hang on host", EXAMPLES / "host_endless" / "softmax@tiny.cu", 25, TINY),
    Kind("hang on device", EXAMPLES / "device_endless" / "softmax@tiny.cu", 25, TINY),
    Kind("fault on device", EXAMPLES / "device_out_of_bounds" / "softmax.cu", 50, TINY),
]


class Server:
    def __init__(self, build: Path, jobs: int) -> None:
        command = [ROOT / "cudabench", "grade", "--serve", "--tasks", TASK, "--build-dir", build, "--no-setup"]
        self.process = subprocess.Popen([*command, "--jobs", str(jobs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, request: dict[str, Any]) -> None:
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        return json.loads(self.process.stdout.readline())

    def footprint(self, build: Path) -> dict[str, int]:
        """Of the server; its workers come and go."""
        place = Path("/proc", str(self.process.pid))
        status = (place / "status").read_text()
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        unfinished = len(list((build / "grade_cache").glob("unfinished-*")))
        temporary = len(list(Path("/tmp").glob("cudabench-compile-*")))
        return {
            "resident_kib": resident,
            "descriptors": len(list((place / "fd").iterdir())),
            "temporary_files": unfinished + temporary,
            "children": len((place / "task" / str(self.process.pid) / "children").read_text().split()),
        }


def schedule(count: int) -> list[Kind]:
    """Kinds in their proportions, evenly spread: each time the one that is most behind."""
    done = dict.fromkeys((kind.name for kind in KINDS), 0)
    order = []
    for number in range(1, count + 1):
        kind = max(KINDS, key=lambda one: one.per_mille * number / 1000 - done[one.name])
        done[kind.name] += 1
        order.append(kind)
    return order


def request_of(kind: Kind, number: int) -> dict[str, Any]:
    source = kind.source.read_text(encoding="utf-8")
    if kind.name != "unchanged":
        source += f"\n// attempt {number} of {time.time_ns()}\n"
    return {"id": number, "task": TASK, "source": source, "limits": LIMITS} | kind.fields


def ask(server: Server, kinds: list[Kind], at_once: int) -> list[dict[str, Any]]:
    """At most `at_once` requests are on their way."""
    free = threading.Semaphore(at_once)
    sent: dict[int, float] = {}

    def send_all() -> None:
        for number, kind in enumerate(kinds):
            free.acquire()
            request = request_of(kind, number)
            sent[number] = time.monotonic()
            server.send(request)

    sender = threading.Thread(target=send_all)
    sender.start()
    replies = []
    for _ in kinds:
        reply = server.receive()
        reply["wall"] = time.monotonic() - sent[reply["id"]]
        replies.append(reply)
        free.release()
        if sys.stderr.isatty():
            print(f"\r{len(replies)} of {len(kinds)}", end="", file=sys.stderr)
    sender.join()
    return replies


def above_nvcc(reply: dict[str, Any]) -> float:
    compiled = reply["compile"]
    nvcc = compiled["seconds"] if compiled and not compiled["cached"] else 0.0
    return reply["wall"] - reply["seconds"]["queue"] - nvcc


def figures(values: Iterable[float]) -> dict[str, float]:
    values = sorted(values)
    p99 = quantiles(values, n=100, method="inclusive")[98] if len(values) > 1 else values[0]
    return {"count": len(values), "median": median(values), "p99": p99, "largest": values[-1]}


def cold(build: Path, count: int) -> dict[str, float]:
    """The command, started anew for each; above nvcc."""
    times = []
    for number in range(count):
        source = request_of(KINDS[0], number)["source"].encode()
        command = [ROOT / "cudabench", "grade", "-", "--task", TASK, "--scales", "tiny", "--stop-after", "values"]
        start = time.monotonic()
        process = subprocess.run(
            [*command, "--json", "--build-dir", build, "--no-setup"], input=source, stdout=subprocess.PIPE, check=False
        )
        reply = json.loads(process.stdout) | {"wall": time.monotonic() - start}
        times.append(above_nvcc(reply))
    return figures(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="of the server, and requests on their way; default: 1")
    parser.add_argument("--cold", type=int, default=10, help="cold commands to measure")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "tools")
    arguments = parser.parse_args()
    build = arguments.build_dir.absolute()

    server = Server(build, arguments.jobs)
    warm = schedule(20)
    ask(server, warm, arguments.jobs)
    time.sleep(2)
    before = server.footprint(build)
    kinds = schedule(arguments.requests)
    start = time.monotonic()
    replies = ask(server, kinds, arguments.jobs)
    wall = time.monotonic() - start
    time.sleep(2)
    after = server.footprint(build)
    server.process.stdin.close()
    server.process.wait()

    by_id = {reply["id"]: reply for reply in replies}
    wrong = [
        {
            "kind": kind.name,
            "verdict": by_id.get(number, {}).get("verdict"),
            "said": by_id.get(number, {}).get("message"),
        }
        for number, kind in enumerate(kinds)
        if by_id.get(number, {}).get("verdict") not in VERDICTS[kind.name]
    ]
    latency = {
        kind.name: figures(above_nvcc(by_id[number]) for number, one in enumerate(kinds) if one == kind)
        for kind in KINDS
        if kind in kinds
    }
    compiling = {
        kind.name: figures(by_id[n]["seconds"].get("compile", 0.0) for n, one in enumerate(kinds) if one == kind)
        for kind in KINDS
        if kind.name == "unchanged" and kind in kinds
    }
    nvcc = figures(
        reply["compile"]["seconds"] for reply in replies if reply["compile"] and not reply["compile"]["cached"]
    )
    grown = {name: after[name] - before[name] for name in after}
    report = {
        "requests": len(kinds), "wall_seconds": wall, "nvcc_seconds": nvcc, "above_nvcc_seconds": latency,
        "compile_part_seconds": compiling, "cold_seconds": cold(build, arguments.cold) if arguments.cold else None,
        "before": before, "after": after, "grown": grown, "wrong": wrong,
    }  # fmt: skip
    json.dump(report, sys.stdout, indent=1)
    print(file=sys.stderr)
    for name, row in {**latency, **({"cold command": report["cold_seconds"]} if arguments.cold else {})}.items():
        print(f"{name:16} {row['count']:5}  median {row['median']:.3f} s  99 % {row['p99']:.3f} s", file=sys.stderr)
    print(f"nvcc median {nvcc['median']:.2f} s; grown: {grown}; {len(wrong)} wrong", file=sys.stderr)
    leak = grown["descriptors"] > 0 or grown["temporary_files"] > 0 or grown["resident_kib"] > 32 << 10
    return int(bool(wrong) or leak or len(by_id) < len(kinds))


if __name__ == "__main__":
    sys.exit(main())
