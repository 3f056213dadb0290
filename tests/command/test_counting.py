"""Counting what cases execute is part of a run: it is gone on with, done where it lacks, and its failures are told."""

import signal
import time

import pytest
from made_tree import SCALES

COUNTED = [f"count_{scale}" for scale in SCALES]


@pytest.fixture
def counted(tree):
    """Whose candidate is counted too."""
    tree.add_counting()
    return tree


def interrupt(tree, at: str, *arguments: str) -> None:
    process = tree.start(*arguments)
    tree.started(at)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT


def counters(tree, scale: str):
    return tree.run / "results" / f"softmax_{scale}.counters.json"


def test_cases_are_counted_after_they_were_graded(counted):
    code, errors = counted.grade("--strict")
    assert (code, counted.ran()) == (0, [*SCALES, *COUNTED])
    assert "warning" not in errors


def test_an_interrupted_run_goes_on_with_counting(counted):
    counted.plan["counting"] = {"sleep": {"softmax_medium": 1000}}
    interrupt(counted, "count_softmax_medium")
    counted.ran()
    del counted.plan["counting"]
    code, errors = counted.grade("--strict")
    assert code == 0
    assert "going on after an interruption: 5 of 5 cases graded, 3 of them not counted" in errors
    assert counted.ran() == COUNTED


def test_counts_from_before_the_interrupted_run_are_made_again(counted):
    assert counted.grade()[0] == 0
    counted.plan["counting"] = {"sleep": {"softmax_tiny": 1000}}
    counted.ran()
    old = counters(counted, "huge").read_text()
    interrupt(counted, "count_softmax_tiny")
    counted.ran()
    del counted.plan["counting"]
    assert counters(counted, "huge").read_text() == old  # of the same source and statement, but not of this run
    assert "5 of them not counted" in counted.grade()[1]
    assert counted.ran() == COUNTED


def test_what_was_counted_since_the_run_began_is_not_counted_again(counted):
    assert counted.grade()[0] == 0
    counted.ran()
    began = time.time() - 3600
    (counted.run / "unfinished.json").write_text('{"which": "ALL"}')
    counted.age("unfinished.json", began)
    code, errors = counted.grade()
    assert (code, counted.ran()) == (0, [])
    assert "5 of 5 cases graded\n" in errors


@pytest.mark.parametrize("option", ["--only-changed", "--rerun-failed"])
def test_what_lacks_counts_is_counted(counted, option):
    counted.grade()
    counted.ran()
    counters(counted, "small").unlink()
    assert counted.grade(option)[0] == 0
    assert counted.ran() == COUNTED
    assert "nothing to run" in counted.grade(option)[1]
    assert counted.ran() == []


@pytest.mark.parametrize("option", ["--only-changed", "--rerun-failed"])
def test_counts_of_another_source_are_made_anew(counted, option):
    counted.grade()
    counted.ran()
    path = counters(counted, "small")
    path.write_text(path.read_text().replace(counted.hash, "0" * 64))
    assert counted.grade(option)[0] == 0
    assert counted.ran() == COUNTED


@pytest.mark.parametrize(
    "passes, again", [(0, []), (4, COUNTED)], ids=["the machine has no counters", "the candidate failed"]
)
def test_counting_that_failed_is_tried_again_where_the_machine_can_count(counted, passes, again):
    content = {"counters": "declared", "reason": "why", "passes": passes, "counts": None}
    counted.plan["counting"] = {"content": {"softmax_small": content}}
    counted.grade()
    counted.ran()
    counted.grade("--only-changed")
    assert counted.ran() == []
    counted.grade("--rerun-failed")
    assert counted.ran() == again


def test_cases_that_have_failed_are_not_counted(counted):
    counted.plan["softmax_small"] = {"result": counted.result("small", verdict="fail", stage="values"), "exit": 1}
    counted.grade()
    counted.ran()
    assert "nothing to run" in counted.grade("--only-changed")[1]
    assert counted.ran() == []


def test_a_failure_to_count_is_told_and_is_no_fault(counted):
    counted.plan["counting"] = {"exit": 1}
    code, errors = counted.grade("--strict")
    assert code == 0
    [warning] = [line for line in errors.splitlines() if "warning" in line]
    assert "1 test of counting failed, the first counters.deep_learning.softmax.softmax; " in warning
    assert f"{counted.root}/Testing/Temporary/LastTest.log" in warning
    assert "-L counters --rerun-failed --output-on-failure" in warning


def test_what_a_candidate_says_is_no_reason(counted):
    """Not even where it looks like CTest's log of another test."""
    name = "counters.deep_learning.softmax.softmax"
    forged = f"<end of output>\n1/1 Testing: {name}\nOutput:\nx.cpp:5: Failure\nFailed\nask your administrator\n"
    counted.plan["counting"] = {"exit": 1, "output": forged}
    assert "administrator" not in counted.grade()[1]
