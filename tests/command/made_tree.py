"""A build tree made by hand; its "test programs" are scripts that write results and counters, as cases do."""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCALES = ("tiny", "small", "medium", "large", "huge")
TOOLS = ROOT / "tools"

WRITE_RESULT = """
import json, os, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
name = sys.argv[2].partition(".")[2]
with (folder / "log").open("a") as log:
    log.write(name + "\\n")
with (folder / "assigned").open("a") as assigned:
    assigned.write(os.environ.get("CTEST_RESOURCE_GROUP_0_GPUS", "") + "\\n")
plan = json.loads((folder / "plan.json").read_text())[name]
if "sleep" in plan:
    time.sleep(plan["sleep"])
path = folder / "cudabench" / "candidates" / "results" / (name + ".json")
path.parent.mkdir(exist_ok=True)
path.write_text(json.dumps(plan["result"]))
sys.exit(plan.get("exit", 0))
"""

# Counts all cases of the candidate that have passed, as a test program with --counters does.
COUNT = """
import json, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
plan = json.loads((folder / "plan.json").read_text()).get("counting", {})
for name in sys.argv[3].split(":"):
    name = name.partition(".")[2]
    result = folder / "cudabench" / "candidates" / "results" / (name + ".json")
    counters = result.with_suffix(".counters.json")
    counters.unlink(missing_ok=True)
    if not result.exists() or (result := json.loads(result.read_text()))["verdict"] != "pass":
        continue
    with (folder / "log").open("a") as log:
        log.write("count_" + name + "\\n")
    time.sleep(plan.get("sleep", {}).get(name, 0))
    content = {
        "schema": 1, "case": name, "task_hash": result["task_hash"], "counters": "measured", "reason": None,
        "source_sha256": result["candidate"]["source_sha256"], "device": result["device"], "passes": 4,
        "counts": {}, "work": None, "attainable_seconds": None,
    }
    counters.write_text(json.dumps(content | plan.get("content", {}).get(name, {})))
print(plan.get("output", ""))
sys.exit(plan.get("exit", 0))
"""

# What `evaluate` does after the build.
GRADE = f"""
import sys
sys.path.insert(0, {str(TOOLS)!r})
from pathlib import Path
from command import evaluate, main
from command.build_tree import BuildTree
from command.child import obey_signals
from command.gpus import Gpu
from command.grading import Which, run_cases

def option(name, otherwise):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else otherwise

def which():
    if "--rerun-failed" in sys.argv:
        return Which.FAILED
    return Which.CHANGED if "--only-changed" in sys.argv else Which.ALL

def run():
    obey_signals()
    tree = BuildTree(Path(sys.argv[1]), sys.stderr)
    gpus = [Gpu("GPU", f"GPU-{{index}}", 0) for index in range(int(option("--gpus", 0)))]
    run_cases(tree, evaluate._load(tree), int(option("--jobs", 0)) or None, gpus, {{}}, which())
    return evaluate._verdict(evaluate._load(tree), "--strict" in sys.argv)

main._run = run
sys.exit(main.main())
"""


class Tree:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.run = root / "cudabench" / "candidates"
        self.run.mkdir(parents=True)
        source = root / "softmax.cu"
        source.write_text("// softmax")
        self.hash = hashlib.sha256(source.read_bytes()).hexdigest()
        self.plan = {f"softmax_{scale}": {"result": self.result(scale)} for scale in SCALES}
        self.write(
            self.run / "manifest.json",
            {"schema": 1, "name": "candidates", "cases": [self.case(scale) for scale in SCALES]},
        )
        self.write(root / "compile.json", {"schema": 1, "status": "ok", "source_sha256": self.hash})
        script = root / "write_result.py"
        script.write_text(WRITE_RESULT)
        command = f'"{sys.executable}" "{script}" "{root}"'
        (root / "CTestTestfile.cmake").write_text(
            "".join(
                f'add_test("deep_learning.softmax.{s}.softmax" {command} "softmax.softmax_{s}")\n'
                f'set_tests_properties("deep_learning.softmax.{s}.softmax" PROPERTIES SKIP_RETURN_CODE 77)\n'
                for s in SCALES
            )
        )

    def add_counting(self) -> None:
        """The test that counts what the candidate executes."""
        script = self.root / "count.py"
        script.write_text(COUNT)
        cases = ":".join(f"softmax.softmax_{scale}" for scale in SCALES)
        with (self.root / "CTestTestfile.cmake").open("a") as tests:
            tests.write(
                f'add_test("counters.deep_learning.softmax.softmax" "{sys.executable}" "{script}" "{self.root}" '
                f'--counters "{cases}")\n'
                'set_tests_properties("counters.deep_learning.softmax.softmax" PROPERTIES LABELS counters DEPENDS '
                f'"{";".join(f"deep_learning.softmax.{s}.softmax" for s in SCALES)}")\n'
            )

    def case(self, scale: str) -> dict:
        return {
            "id": f"softmax_{scale}", "task": "softmax", "domain": "deep_learning", "scale": scale,
            "candidate": {"name": "softmax", "model": "", "level": 0, "sample": 0, "source": "softmax.cu"},
            "task_hash": "1", "module": "softmax.so", "compile_record": "compile.json",
            "result": f"cudabench/candidates/results/softmax_{scale}.json",
        }  # fmt: skip

    def result(self, scale: str, **changes: object) -> dict:
        return {
            "schema": 1, "case": f"softmax_{scale}", "task": "softmax", "domain": "deep_learning", "scale": scale,
            "candidate": {"source_sha256": self.hash}, "task_hash": "1", "verdict": "pass", "stage": None,
            "message": "", "seed": "0x1", "measurement": {"seconds": 1e-5}, "device": {"name": "GPU", "uuid": "GPU-1"},
            "scores": {"performance": 0.5, "speed_of_light": 0.5},
        } | changes  # fmt: skip

    @staticmethod
    def write(path: Path, content: object) -> None:
        path.write_text(json.dumps(content))

    def ran(self) -> list[str]:
        """The cases that were started, in order; the log begins anew."""
        log = self.root / "log"
        names = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        return [name.replace("softmax_", "") for name in names]

    def assigned(self) -> list[str]:
        """The GPUs that CTest gave to the cases."""
        return (self.root / "assigned").read_text().split()

    def age(self, name: str, seconds: float) -> None:
        """Sets when a file of the run was written last."""
        os.utime(self.run / name, (seconds, seconds))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        self.write(self.root / "plan.json", self.plan)
        return subprocess.Popen(
            [sys.executable, "-c", GRADE, str(self.root), *arguments], text=True, stderr=subprocess.PIPE
        )

    def grade(self, *arguments: str) -> tuple[int, str]:
        process = self.start(*arguments)
        _, errors = process.communicate(timeout=120)
        return process.returncode, errors

    def started(self, name: str) -> None:
        """Waits until the log has it."""
        deadline = time.monotonic() + 60
        while not ((self.root / "log").exists() and name in (self.root / "log").read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def processes_with(text: str) -> list[int]:
    """Processes whose command line holds `text`."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and text.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found
