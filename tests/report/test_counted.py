"""Performance-Scores of counted work, worked out by hand in the comments."""

import pytest
from conftest import DEVICE, sha256

from report.__main__ import load_runs
from report.document import document
from report.score import score
from report.table import render
from report.terminal import Terminal


def counted(build, case, attainable=6e-6, /, **changes):
    """A counters file of the present source and task: T(work) is `attainable` seconds."""
    content = {
        "schema": 1, "case": case["id"], "task_hash": case["task_hash"], "source_sha256": sha256(case),
        "counters": "measured", "reason": None, "device": DEVICE | {"chip": "GH100"}, "host_dependent": False,
        "passes": 7, "counts": {"fp32": 2e6, "dram_bytes_read": 1e6, "dram_bytes_write": 1e6}, "lacking": [],
        "work": {"source": "counters", "fp32": 2e6, "fp64": 0, "tensor": 0, "bytes": 2e6},
        "attainable_seconds": attainable, "seconds": 0.1,
    }  # fmt: skip
    path = build.root / case["result"].replace(".json", ".counters.json")
    build.write(path, content | changes)
    return path


def passed(build, seconds=1e-5, empty=3e-6, marks=()):
    """T(model) is 2 us of 10, so that the model's Performance-Score is 0.2."""
    case = build.case()
    build.result(
        case,
        measurement={"seconds": seconds, "empty_recipe_seconds": empty},
        work={"source": "model", "fp32": 1e6, "bytes": 1e6},
        scores={"performance": 0.2, "speed_of_light": 0.3, "attainable_seconds": 2e-6},
        marks=list(marks),
    )
    return case


def only(build):
    (outcome,) = load_runs([build.root])[0].outcomes
    return outcome


def test_counted_work_over_measured_time(build):
    counted(build, passed(build))
    outcome = only(build)
    assert outcome.score("performance") == pytest.approx(0.6)  # 6 us of 10
    assert outcome.score("speed_of_light") == 0.3  # the model's, whatever was counted
    assert score([outcome]).performance == pytest.approx(0.6)
    entry = document(load_runs([build.root]))["runs"][0]["cases"][0]
    assert (entry["counters"], entry["counters_reason"]) == ("measured", None)
    assert entry["work"]["source"] == "counters"
    assert entry["performance"] == pytest.approx(0.6)


def test_counts_of_another_gpu_of_the_same_kind_stand(build):
    """Several GPUs share the cases, and what is executed does not depend on which one of them counts."""
    counted(build, passed(build), device=DEVICE | {"uuid": "GPU-2", "chip": "GH100"})
    assert only(build).counted.counters == "measured"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"source_sha256": "0" * 64}, "another source"),
        ({"task_hash": "another"}, "another statement"),
        ({"device": DEVICE | {"name": "NVIDIA A40"}}, "another kind of GPU, NVIDIA A40"),
        ({"case": "another"}, "another case"),
        ({"counters": "declared", "reason": "the driver lets only administrators"}, "only administrators"),
        ({"schema": 2}, "schema"),
        ({"device": {"uuid": "GPU-1"}}, 'device lacks "name"'),
    ],
)
def test_else_the_model_stands(build, changes, words):
    counted(build, passed(build), **changes)
    outcome = only(build)
    assert outcome.score("performance") == 0.2
    assert outcome.counted.counters == "declared"
    assert words in outcome.counted.reason
    assert outcome.counted.work["source"] == "model"


def test_not_counted(build):
    passed(build)
    assert only(build).score("performance") == 0.2
    assert "tests labelled counters" in only(build).counted.reason


def test_unreadable_counters_lose_no_verdict(build):
    counted(build, passed(build)).write_text("{")
    assert only(build).correct
    assert only(build).score("performance") == 0.2
    assert "not JSON" in only(build).counted.reason


def test_launch_bound_follows_what_was_counted(build):
    case = passed(build, empty=3e-6, marks=["launch_bound", "beats_model"])
    counted(build, case, 6e-6)
    assert only(build).marks == ("beats_model",)  # 6 us are above the empty recipe's 3
    counted(build, case, 1e-6)
    assert only(build).marks == ("beats_model", "launch_bound")


def test_more_than_the_roofline_allows_is_not_believed(build):
    counted(build, passed(build, seconds=1e-5), 1.1e-5)
    outcome = only(build)
    assert outcome.score("performance") == 0.2
    assert "implausible" in outcome.marks
    assert "1.1e-05 s, the case took 1e-05 s" in outcome.counted.reason


def test_a_gpu_without_roofline_has_counts_but_no_score(build):
    counted(build, passed(build), None)
    assert only(build).score("performance") is None
    assert only(build).counted.counters == "measured"


def test_a_failed_case_scores_nothing_whatever_was_counted(build):
    case = build.case()
    build.failed(case)
    counted(build, case)
    assert only(build).score("performance") == 0
    assert only(build).counted is None


def test_table_says_what_was_counted_and_the_peaks(build):
    case = passed(build)
    rates = {"bandwidth": 4.8e12, "fp32": 67e12, "fp64": 33.5e12, "tensor_tf32": 0}
    sustained = {"bandwidth": 3.84e12, "fp32": 60e12, "fp64": 33e12, "tensor_tf32": 0}
    build.result(
        case,
        measurement={"seconds": 1e-5},
        scores={"performance": 0.2, "speed_of_light": 0.3, "attainable_seconds": 2e-6},
        device=DEVICE | {"nominal": rates, "sustained": sustained},
    )
    text = render(load_runs([build.root])[0], Terminal(160, colour=False))
    assert "peaks, nominal (sustained): DRAM 4.8 (3.84) TB/s, fp32 67 (60) TFLOP/s, fp64 33.5 (33) TFLOP/s\n" in text
    assert "work counted in 0 of 1 timed case, else of the task's model: was not counted" in text
    counted(build, case)
    assert "work counted in 1 of 1 timed case\n" in render(load_runs([build.root])[0], Terminal(160, colour=False))


def test_what_was_not_timed_needs_no_counting(build):
    """Passed without a GPU: the counting pass would be in vain."""
    build.result(build.case())
    assert only(build).counted.reason == "was not timed"
    assert "work counted" not in render(load_runs([build.root])[0], Terminal(160, colour=False))
