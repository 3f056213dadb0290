"""Running cases by the real CTest: interruption, going on, and what the exit code says of the results."""

import json
import signal
import subprocess
import sys
import time

import pytest
from made_tree import SCALES, TOOLS, processes_with


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interruption_ends_children_keeps_results_and_the_next_run_goes_on(tree, number):
    tree.plan["softmax_medium"]["sleep"] = 1000
    process = tree.start()
    tree.started("medium")
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "interrupted; what was built and graded is kept" in errors
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
    tree.age("unfinished.json", later)
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
    tree.started("large")
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
