"""Running cases by the real CTest: interruption, going on, and what the exit code says of the results.

The build tree is made by hand; its "test programs" are a script that writes results, as a case's process does.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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
        return [name.removeprefix("softmax_") for name in names]

    def assigned(self) -> list[str]:
        """The GPUs that CTest gave to the cases."""
        return (self.root / "assigned").read_text().split()

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        self.write(self.root / "plan.json", self.plan)
        return subprocess.Popen(
            [sys.executable, "-c", GRADE, str(self.root), *arguments], text=True, stderr=subprocess.PIPE
        )

    def grade(self, *arguments: str) -> tuple[int, str]:
        process = self.start(*arguments)
        _, errors = process.communicate(timeout=120)
        return process.returncode, errors


@pytest.fixture
def tree(tmp_path) -> Tree:
    return Tree(tmp_path)


def test_all_cases_pass(tree):
    assert tree.grade("--strict")[0] == 0
    assert tree.ran() == list(SCALES)


def test_failure_counts_only_with_strict(tree):
    tree.plan["softmax_small"] = {"result": tree.result("small", verdict="fail", stage="values"), "exit": 1}
    assert tree.grade()[0] == 0
    code, errors = tree.grade("--strict")
    assert code == 1
    assert "1 of 5 cases failed" in errors


def test_cases_without_a_gpu(tree):
    for scale in SCALES[1:]:
        tree.plan[f"softmax_{scale}"] = {"result": tree.result(scale, verdict="not_run", stage="not_run"), "exit": 77}
    code, errors = tree.grade("--strict")
    assert code == 3
    assert "4 of 5 cases were not run" in errors


def test_fault_of_the_grader(tree):
    tree.plan["softmax_huge"] = {
        "result": tree.result("huge", verdict="fault", stage="fault", message="no memory left"),
        "exit": 4,
    }
    code, errors = tree.grade()
    assert code == 4
    assert "the grader or the machine failed in 1 case: no memory left" in errors


def test_a_finished_run_is_graded_anew(tree):
    assert tree.grade()[0] == 0
    tree.ran()
    assert tree.grade()[0] == 0
    assert tree.ran() == list(SCALES)


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interruption_ends_children_keeps_results_and_the_next_run_goes_on(tree, number):
    tree.plan["softmax_medium"]["sleep"] = 1000
    process = tree.start()
    log = tree.root / "log"
    deadline = time.monotonic() + 60
    while not (log.exists() and "medium" in log.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "interrupted; what was graded is kept" in errors
    assert processes_with(str(tree.root)) == []
    assert tree.ran() == ["tiny", "small", "medium"]

    del tree.plan["softmax_medium"]["sleep"]
    code, errors = tree.grade("--strict")
    assert code == 0
    assert "going on after an interruption: 2 of 5 cases graded" in errors
    assert tree.ran() == ["medium", "large", "huge"]
    assert not (tree.run / "unfinished.json").exists()


def test_interrupted_run_with_other_options_begins_anew(tree):
    (tree.run / "unfinished.json").write_text('{"CUDABENCH_SEED": "0x7"}')
    time.sleep(0.02)
    assert tree.grade()[0] == 0
    assert tree.ran() == list(SCALES)


def test_results_from_before_the_interrupted_run_do_not_count(tree):
    assert tree.grade()[0] == 0
    tree.ran()
    later = time.time() + 5
    (tree.run / "unfinished.json").write_text('{"which": "ALL"}')
    os.utime(tree.run / "unfinished.json", (later, later))
    assert tree.grade()[0] == 0
    assert tree.ran() == list(SCALES)


def test_children_in_sessions_of_their_own_are_ended_too(tmp_path):
    """Compilations run in process groups of their own, and may ignore what they are told."""
    stubborn = tmp_path / "stubborn.sh"
    stubborn.write_text(f"trap '' INT TERM\ntouch {tmp_path}/up\nwhile true; do sleep 0.1; done\n")
    start = f"""
import sys
sys.path.insert(0, {str(TOOLS)!r})
from command import main
from command.child import obey_signals, run
def start():
    obey_signals()
    return run(["bash", "-c", "setsid bash {stubborn} & wait"], to=sys.stderr)
main._run = start
sys.exit(main.main())
"""
    process = subprocess.Popen([sys.executable, "-c", start], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "up").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert processes_with(str(stubborn)) == []


def test_failed_cases_alone_are_run_again(tree):
    tree.plan["softmax_small"] = {"result": tree.result("small", verdict="fail", stage="values"), "exit": 1}
    tree.grade()
    tree.ran()
    tree.plan["softmax_small"] = {"result": tree.result("small")}
    assert tree.grade("--rerun-failed", "--strict")[0] == 0
    assert tree.ran() == ["small"]
    code, errors = tree.grade("--rerun-failed", "--strict")
    assert code == 0
    assert "nothing to run: all cases have passed" in errors
    assert tree.ran() == []


def test_only_cases_without_a_present_verdict_are_run(tree):
    tree.plan["softmax_small"] = {"result": tree.result("small", verdict="fail", stage="values"), "exit": 1}
    tree.plan["softmax_huge"] = {"result": tree.result("huge", verdict="not_run", stage="not_run"), "exit": 77}
    tree.grade()
    tree.ran()
    stale = tree.result("tiny", task_hash="of an earlier statement")
    tree.write(tree.run / "results" / "softmax_tiny.json", stale)
    tree.plan["softmax_huge"] = {"result": tree.result("huge")}
    assert tree.grade("--only-changed")[0] == 0
    assert tree.ran() == ["tiny", "huge"]  # the failure stands
    code, errors = tree.grade("--only-changed")
    assert "nothing to run: every case has a verdict of what is there now" in errors
    assert (code, tree.ran()) == (0, [])


def test_an_interrupted_rerun_goes_on(tree):
    for scale in ("small", "large"):
        tree.plan[f"softmax_{scale}"] = {"result": tree.result(scale, verdict="fail", stage="values"), "exit": 1}
    tree.grade()
    tree.ran()
    tree.plan["softmax_large"]["sleep"] = 1000
    process = tree.start("--rerun-failed")
    log = tree.root / "log"
    deadline = time.monotonic() + 60
    while not (log.exists() and "large" in log.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    tree.ran()
    tree.plan["softmax_large"] = {"result": tree.result("large")}
    assert tree.grade("--rerun-failed")[0] == 0
    assert tree.ran() == ["large"]


def test_cases_are_spread_over_several_gpus(tree):
    tests = (tree.root / "CTestTestfile.cmake").read_text()
    (tree.root / "CTestTestfile.cmake").write_text(
        tests.replace("SKIP_RETURN_CODE 77", "SKIP_RETURN_CODE 77 RESOURCE_GROUPS gpus:1")
    )
    code, errors = tree.grade("--gpus", "2")
    assert code == 0
    assert "-j 2 " in errors
    assert set(tree.assigned()) == {"id:gpu_0,slots:1", "id:gpu_1,slots:1"}
    assert tree.grade("--gpus", "2", "--jobs", "5")[0] == 0
    spec = json.loads((tree.run / "resources.json").read_text())
    assert spec["local"][0]["gpus"] == [{"id": "gpu_0", "slots": 3}, {"id": "gpu_1", "slots": 3}]
