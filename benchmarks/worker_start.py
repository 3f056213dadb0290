#!/usr/bin/env python3
"""Measures how fast workers of `cudabench grade` get ready and go: each candidate needs a new one, so that a GPU grades
no more candidates a second than it makes contexts.

    python3 benchmarks/worker_start.py --build-dir build/tools --gpus 0,1 > worker_start.json

For each of --at-once, so many slots start a worker, wait until it is ready, kill it, wait for its end and start the
next one, for --seconds. A table goes to standard error, figures in seconds to standard output as JSON. Exit code 3
without a GPU, where workers are ready at once and the figures are those of processes alone.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Life:
    """Of one worker, in seconds."""

    ready: float  # from its start
    end: float  # from the signal until it was gone
    device: str | None


def live(build: Path, gpu: str) -> Life:
    command = [build / "bin" / "cudabench_worker", "--tasks", build / "cudabench_tasks" / "tasks.json"]
    start = time.monotonic()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": gpu},
    ) as process:
        device = json.loads(process.stdout.readline())["device"]
        ready = time.monotonic() - start
        process.kill()
        process.wait()
        return Life(ready, time.monotonic() - start - ready, device)


def lives(build: Path, gpus: list[str], at_once: int, seconds: float) -> tuple[list[Life], float]:
    """Of workers in so many slots, dealt to the GPUs; and how long all of them took."""
    done: list[Life] = []
    start = time.monotonic()

    def fill(slot: int) -> None:
        while time.monotonic() < start + seconds:
            done.append(live(build, gpus[slot % len(gpus)]))

    threads = [threading.Thread(target=fill, args=(slot,)) for slot in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done, time.monotonic() - start


def row(done: list[Life], wall: float) -> dict[str, Any]:
    return {
        "workers": len(done),
        "a_second": len(done) / wall,
        **{
            f"{name}_{which}": of([getattr(life, name) for life in done])
            for name in ("ready", "end")
            for which, of in (("median", median), ("largest", max))
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--at-once", default="1,2,4,8", metavar="N,...", help="slots; default: 1,2,4,8")
    parser.add_argument("--gpus", default="0", metavar="GPU,...", help="as for CUDA_VISIBLE_DEVICES; default: 0")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each of --at-once; default: 3")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "tools")
    arguments = parser.parse_args()
    build, gpus = arguments.build_dir.absolute(), arguments.gpus.split(",")

    live(build, gpus[0])  # files are read once before
    rows = {}
    devices: set[str | None] = set()
    for at_once in map(int, arguments.at_once.split(",")):
        done, wall = lives(build, gpus, at_once, arguments.seconds)
        devices |= {life.device for life in done}
        rows[at_once] = row(done, wall)
        print("  {:2} at once on {} GPU: {a_second:5.2f} a second; ready after {ready_median:.3f} s, at most "
              "{ready_largest:.3f} s; gone after {end_median:.3f} s, at most {end_largest:.3f} s"
              .format(at_once, len(gpus), **rows[at_once]), file=sys.stderr)  # fmt: skip
    json.dump({"gpus": gpus, "devices": sorted(map(str, devices)), "by_at_once": rows}, sys.stdout, indent=1)
    return 3 if None in devices else 0


if __name__ == "__main__":
    sys.exit(main())
