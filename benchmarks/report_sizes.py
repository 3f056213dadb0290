#!/usr/bin/env python3
"""How long the report of a large run takes, and how large its files are beside what services accept.

    benchmarks/report_sizes.py --cases 31500

Makes up a build tree with that many graded cases, half of which failed with messages of usual length, and reports it.
Exit code: 0, or 1 if a file is larger than a service accepts.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCALES = ("tiny", "small", "medium", "large", "huge")
DOMAINS = ("linear_algebra", "deep_learning", "vision", "data_analysis", "signal_processing", "scientific")
TASKS = 126
MESSAGE = (
    "4096 of 4194304 elements of output differ, first: [17] expected 0.5 got nan allowed 1e-07; shape large (rows = "
    "4096, cols = 1024)"
)
MIB = 1 << 20
LIMITS = {".xml": (30_000_000, "GitLab, a JUnit file"), ".md": (MIB, "GitHub, a step's summary")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=31500, metavar="N", help="default: %(default)s")
    count = parser.parse_args().cases
    with tempfile.TemporaryDirectory() as folder:
        tree = make_tree(Path(folder) / "tree", count)
        output = Path(folder) / "output"
        output.mkdir()
        start = time.monotonic()
        formats = ["--csv", output / "all.csv", "--markdown", output / "all.md", "--junit", output]
        command = [sys.executable, "-m", "report", tree, *formats]
        subprocess.run(command, env={"PYTHONPATH": str(ROOT / "tools")}, stdout=subprocess.DEVNULL, check=True)
        print(f"{count} cases: reported in {time.monotonic() - start:.1f} s")
        files = [*sorted(output.iterdir()), tree / "cudabench" / "candidates" / "report.json"]
        return 1 if sum(not fits(path) for path in files) else 0


def fits(path: Path) -> bool:
    size = path.stat().st_size
    limit, owner = LIMITS.get(path.suffix, (None, ""))
    share = f", {100 * size / limit:.0f} % of what is accepted ({owner})" if limit else ""
    print(f"  {path.name}: {size / MIB:.2f} MiB{share}")
    return limit is None or size <= limit


def make_tree(root: Path, count: int) -> Path:
    run = root / "cudabench" / "candidates"
    for name in ("results", "compile"):
        (run / name).mkdir(parents=True)
    source = root / "kernel.cu"
    source.write_text("// kernel\n")
    sha256 = hashlib.sha256(source.read_bytes()).hexdigest()
    record = {"schema": 1, "status": "ok", "source_sha256": sha256}
    cases = []
    for number in range(count):
        candidate, scale = divmod(number, len(SCALES))
        task = candidate % TASKS
        name = f"model_{candidate // TASKS % 10}/level{1 + candidate % 3}/task_{task:03}.s{candidate // TASKS}"
        identity = f"{name.replace('/', '_').replace('.', '_')}"
        compile_record = run / "compile" / f"{identity}.json"
        if scale == 0:
            compile_record.write_text(json.dumps(record))
        case = {
            "id": f"{identity}_{SCALES[scale]}", "task": f"task_{task:03}", "domain": DOMAINS[domain_of(task)],
            "scale": SCALES[scale], "task_hash": "1", "module": f"{identity}.so",
            "candidate": {"name": name, "model": name.split("/")[0], "level": 1 + candidate % 3, "sample": 0,
                          "source": str(source)},
            "compile_record": str(compile_record.relative_to(root)),
            "result": f"cudabench/candidates/results/{identity}_{SCALES[scale]}.json",
        }  # fmt: skip
        cases.append(case)
        (root / case["result"]).write_text(json.dumps(result(case, sha256, passed=number % 2 == 0)))
    manifest = {"schema": 1, "name": "candidates", "cases": cases}
    (run / "manifest.json").write_text(json.dumps(manifest))
    return root


def domain_of(task: int) -> int:
    """Of 126 tasks 53 are of the second domain, as of those that there are."""
    return 1 if task < 53 else (0, 2, 3, 4, 5)[task % 5]


def result(case: dict, sha256: str, *, passed: bool) -> dict:
    return {
        "schema": 1, "case": case["id"], "task": case["task"], "domain": case["domain"], "scale": case["scale"],
        "candidate": case["candidate"] | {"source_sha256": sha256}, "task_hash": "1",
        "verdict": "pass" if passed else "fail", "stage": None if passed else "values",
        "message": "" if passed else MESSAGE, "seed": "0x1234567890abcdef",
        "device": {"name": "NVIDIA H200", "uuid": "GPU-5e1f0000-0000-0000-0000-000000000000"},
        "measurement": {"seconds": 1.234e-5} if passed else None,
        "scores": {"performance": 0.71234, "speed_of_light": 0.61234} if passed else None,
        "marks": ["launch_bound"] if passed else [], "seconds": {"total": 0.7},
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
