"""Scores of small runs, worked out by hand in the comments."""

import pytest

from report.__main__ import load_runs
from report.bootstrap import intervals
from report.document import document
from report.score import macro_mean, score


def outcomes(build):
    return load_runs([build.root])[0].outcomes


def mixed_run(build):
    """Two domains: deep_learning with softmax and gelu, vision with gaussian_blur."""
    build.passed(build.case("softmax", "tiny"), 0.5, 0.25)
    build.passed(build.case("softmax", "huge"), 1.0, 0.75)
    build.failed(build.case("gelu", "tiny", candidate="gpt/level1/gelu", level=1), "values")
    build.compiled(build.case("gelu", "huge", candidate="gpt/level1/gelu", level=1), "failed", stderr="error: no")
    build.passed(
        build.case("gaussian_blur", "tiny", domain="vision", candidate="claude/level3/blur", model="claude"), 0.8, 0.6
    )


def test_mean_over_all_cases(build):
    mixed_run(build)
    # gelu's record says that its compilation failed, so both its cases fail: (0.5 + 1.0 + 0 + 0 + 0.8) / 5
    s = score(outcomes(build))
    assert s.performance == pytest.approx(0.46)
    assert s.speed_of_light == pytest.approx(0.32)  # (0.25 + 0.75 + 0.6) / 5
    assert (s.cases, s.ran, s.compiled, s.correct, s.reason) == (5, 5, 3, 3, None)
    assert (s.compiled_rate, s.correct_rate) == (0.6, 0.6)


def test_groups(build):
    mixed_run(build)
    by = document(load_runs([build.root]))["runs"][0]["by"]
    performance = {name: {key: s["performance"] for key, s in groups.items()} for name, groups in by.items()}
    assert performance["model"] == pytest.approx({"claude": 0.8, "gpt": 1.5 / 4})
    assert performance["level"] == pytest.approx({"1": 0.0, "3": 2.3 / 3})
    assert performance["domain"] == pytest.approx({"deep_learning": 1.5 / 4, "vision": 0.8})
    assert performance["scale"] == pytest.approx({"tiny": 1.3 / 3, "huge": 0.5})
    assert list(performance["scale"]) == ["tiny", "huge"]
    assert performance["task"] == pytest.approx({"gaussian_blur": 0.8, "gelu": 0.0, "softmax": 0.75})


def test_macro_mean(build):
    mixed_run(build)
    macro = macro_mean(outcomes(build))
    assert macro.performance == pytest.approx((1.5 / 4 + 0.8) / 2)
    assert macro.speed_of_light == pytest.approx((1.0 / 4 + 0.6) / 2)


def test_one_case_that_did_not_run_makes_the_score_null(build):
    mixed_run(build)
    build.compiled(build.case("softmax", "large"))
    s = score(outcomes(build))
    assert (s.performance, s.speed_of_light) == (None, None)
    assert s.reason == "of 6 cases 1 did not run"
    # 5 ran, 6 were built; softmax at three scales and the blur compiled
    assert (s.ran, s.correct_rate, s.compiled, s.built) == (5, 0.6, 4, 6)
    macro = macro_mean(outcomes(build))
    assert (macro.performance, macro.reason) == (None, "no score for deep_learning")


def test_reasons_are_counted_apart(build):
    build.passed(build.case("softmax", "tiny"), 0.5, 0.5)
    build.compiled(build.case("softmax", "small"))
    build.result(build.case("softmax", "medium"), task_hash="other")
    broken = build.case("softmax", "large")
    build.result(broken)
    (build.root / broken["result"]).write_text("{")
    build.result(build.case("softmax", "huge"))  # correct, without a time
    s = score(outcomes(build))
    assert s.reason == "of 5 cases 1 did not run, 1 stale, 1 corrupt, 1 correct but not timed"
    assert (s.ran, s.correct) == (2, 2)


def test_a_group_that_ran_whole_has_a_score_though_the_run_has_none(build):
    mixed_run(build)
    build.case("fir_filter", "tiny", domain="signal_processing", candidate="claude/level3/fir", model="claude")
    by = document(load_runs([build.root]))["runs"][0]["by"]
    assert by["domain"]["vision"]["performance"] == pytest.approx(0.8)
    assert by["domain"]["signal_processing"]["performance"] is None
    assert by["model"]["claude"]["performance"] is None
    assert by["model"]["gpt"]["performance"] == pytest.approx(1.5 / 4)


def test_compilation_counts_without_a_gpu(build):
    """Of 4 candidates one was never built; of the other 3, 2 compiled, and none ran."""
    build.result(build.case("softmax", "tiny"), "not_run", stage="not_run", message="needs a GPU")
    build.compiled(build.case("gelu", candidate="gpt/level3/gelu"))
    build.compiled(build.case("relu", candidate="gpt/level3/relu"), "failed", stderr="error: no")
    build.case("sobel", candidate="gpt/level3/sobel")
    s = score(outcomes(build))
    assert (s.cases, s.built, s.compiled, s.correct) == (4, 3, 2, 0)
    assert s.compiled_rate == pytest.approx(2 / 3)


def test_what_is_known_of_another_source_is_not_counted_as_compiled(build):
    build.result(build.case("softmax", "tiny"), task_hash="other")
    broken = build.case("softmax", "small")
    build.result(broken)
    (build.root / broken["result"]).write_text("{")
    s = score(outcomes(build))
    assert (s.stale, s.corrupt, s.built, s.compiled_rate) == (1, 1, 0, None)


def test_nothing_ran(build):
    build.case()
    s = score(outcomes(build))
    assert (s.ran, s.compiled_rate, s.correct_rate, s.performance) == (0, None, None, None)


def test_all_failed_is_zero_not_null(build):
    build.failed(build.case())
    assert score(outcomes(build)).performance == 0


def test_bootstrap_of_two_tasks(build):
    """Means of two draws from {0, 1}: 0, 1/2 and 1 with chances 1/4, 1/2, 1/4, so the interval is [0, 1]."""
    build.passed(build.case("softmax"), 1.0, 1.0)
    build.failed(build.case("gelu", candidate="gpt/level3/gelu"))
    interval = intervals(outcomes(build), "performance", 1).mean
    assert (interval.low, interval.high) == (0.0, 1.0)


def test_bootstrap_resamples_tasks_within_their_domain(build):
    """One domain scores 1 throughout, the other 0: whatever is drawn inside them, the mean stays."""
    for task in ("softmax", "gelu", "relu"):
        build.passed(build.case(task, candidate=f"gpt/level3/{task}"), 1.0, 1.0)
    for task in ("gaussian_blur", "sobel"):
        build.failed(build.case(task, domain="vision", candidate=f"gpt/level3/{task}"))
    both = intervals(outcomes(build), "performance", 1)
    assert (both.mean.low, both.mean.high) == pytest.approx((0.6, 0.6))
    assert (both.macro_mean.low, both.macro_mean.high) == pytest.approx((0.5, 0.5))


def test_bootstrap_width_agrees_with_theory(build):
    """For n tasks of scores s_i the bootstrap mean has standard deviation sigma / sqrt(n), and is close to normal."""
    values = [i / 39 for i in range(40)]
    for index, value in enumerate(values):
        build.passed(build.case(f"task{index}", candidate=f"gpt/level3/task{index}"), value, value)
    interval = intervals(outcomes(build), "performance", 1).mean
    mean = sum(values) / 40
    deviation = (sum((v - mean) ** 2 for v in values) / 40) ** 0.5 / 40**0.5
    assert interval.low == pytest.approx(mean - 1.96 * deviation, abs=0.1 * deviation)
    assert interval.high == pytest.approx(mean + 1.96 * deviation, abs=0.1 * deviation)


def test_bootstrap_is_reproducible_by_its_seed(build):
    for index in range(9):
        build.passed(build.case(f"task{index}", candidate=f"gpt/level3/task{index}"), index**2 / 81, 1)
    assert intervals(outcomes(build), "performance", 5) == intervals(outcomes(build), "performance", 5)
    assert intervals(outcomes(build), "performance", 5) != intervals(outcomes(build), "performance", 6)


def test_no_interval_from_single_tasks(build):
    build.passed(build.case(), 1.0, 1.0)
    interval = intervals(outcomes(build), "performance", 1).mean
    assert interval.low is None
    assert "single task" in interval.reason
