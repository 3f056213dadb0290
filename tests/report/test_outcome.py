"""Each verdict from the files that lead to it."""

import hashlib
import os
from pathlib import Path

import pytest

from report.__main__ import load_runs
from report.manifest import InputError
from report.markdown import markdown_text
from report.outcome import Outcome, Verdict
from report.table import render
from report.terminal import Terminal


def graded(build) -> list[Outcome]:
    return list(load_runs([build.root])[0].outcomes)


def only(build) -> Outcome:
    (outcome,) = graded(build)
    return outcome


def test_pass(build):
    build.passed(build.case(), 0.7, 0.6)
    assert only(build).verdict is Verdict.PASS
    assert only(build).score("performance") == 0.7


def test_failure_names_stage_and_first_line(build):
    build.failed(build.case(), "values", "3 of 4096 elements differ\n[17] expected 1 got 2")
    assert (only(build).verdict, only(build).stage) == (Verdict.FAIL, "values")
    assert only(build).headline == "3 of 4096 elements differ"
    assert only(build).score("performance") == 0


@pytest.mark.parametrize(
    "line",
    [
        "k.cu(3): error: expected a ;",
        "k.cu(3): error #20-D: identifier is undefined",
        "k.cu:2:10: fatal error: a.h: No such file or directory",
        "k.cu(1): catastrophic error: cannot open source file",
        "ptxas error   : Entry function uses too much shared data",
        "ptxas fatal   : Unresolved extern function 'f'",
        "k.cu:(.text+0x4a): undefined reference to `cublasCreate_v2'",
    ],
)
def test_what_tells_an_error_is_not_a_path(build, line):
    build.compiled(build.case(), "failed", stderr=f"errors/fatal #1/k.cu(1): warning #177-D: error is unused\n{line}\n")
    assert only(build).headline == line


def test_source_that_is_shown_with_a_warning_tells_no_error(build):
    shown = 'k.cu(1): warning #177-D: unused\n  auto s = "error: no";\n    1 | auto s = "error: no";\n'
    build.compiled(build.case(), "failed", stderr=f"{shown}k.cu(3): error: expected a ;\n")
    assert only(build).headline == "k.cu(3): error: expected a ;"


def test_failed_compilation_needs_no_result(build):
    build.compiled(build.case(), "failed", stderr="In file included from x\nx.cu(3): error: expected a ;\n")
    assert (only(build).verdict, only(build).stage) == (Verdict.FAIL, "compile")
    assert only(build).headline == "x.cu(3): error: expected a ;"


def test_wrong_signature_is_of_the_contract_stage(build):
    text = 'x.h(52): error: static assertion failed with "CUDABENCH_CONTRACT: solve has a type that is not accepted"\n'
    build.compiled(build.case(), "failed", stage="contract", stderr=text)
    assert only(build).stage == "contract"
    assert only(build).headline == "solve has a type that is not accepted"
    build.compiled(build.cases[0], "failed", stderr=f"{text}x.cu(3): error: expected a ;\n")
    assert only(build).headline == text.strip(), "else the first error"


def test_compile_timeout_without_output_says_so(build):
    build.compiled(build.case(), "timeout")
    assert only(build).headline == "compilation ended with timeout"


def test_failed_compilation_outweighs_an_older_pass(build):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    build.compiled(case, "failed", stderr="error: no")
    assert (only(build).verdict, only(build).stage) == (Verdict.FAIL, "compile")


def test_no_files_at_all(build):
    build.case()
    assert (only(build).verdict, only(build).stage) == (Verdict.NOT_RUN, "not_built")


def test_built_but_no_result(build):
    build.compiled(build.case())
    assert (only(build).verdict, only(build).stage) == (Verdict.NOT_RUN, "not_run")


@pytest.mark.parametrize(("verdict", "stage"), [("not_run", "not_run"), ("fault", "fault"), ("fail", "not_built")])
def test_stages_that_say_nothing_of_the_candidate(build, verdict, stage):
    build.result(build.case(), verdict, stage=stage, message="needs a GPU: no driver")
    assert (only(build).verdict, only(build).stage) == (Verdict.NOT_RUN, stage)
    assert only(build).headline == "needs a GPU: no driver"
    assert only(build).score("performance") is None


def test_source_changed_after_grading(build):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    Path(case["candidate"]["source"]).write_text("// another\n")
    assert only(build).verdict is Verdict.STALE
    assert only(build).score("performance") is None


def test_source_changed_after_its_compilation_failed(build):
    case = build.case()
    build.compiled(case, "failed", stderr="error: no")
    Path(case["candidate"]["source"]).write_text("// repaired\n")
    assert only(build).verdict is Verdict.STALE


def test_task_changed_after_grading(build):
    build.result(build.case(), task_hash="hash of an older statement")
    assert only(build).verdict is Verdict.STALE


def test_built_anew_after_grading_where_sources_are_absent(build):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    build.compiled(case, source_sha256="0" * 64)
    Path(case["candidate"]["source"]).unlink()
    assert only(build).verdict is Verdict.STALE


def test_moved_build_tree_without_sources_keeps_its_results(build):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    Path(case["candidate"]["source"]).unlink()
    assert only(build).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON"),
        ('{"schema": 1, "case": "soft', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("\0\0\0\0", "not JSON"),
        ('{"schema": NaN}', "NaN is not JSON"),
        ("[]", "expected object"),
        ('{"schema": 2}', "schema is 2, expected 1"),
        ("{}", 'lacks "schema"'),
    ],
)
def test_corrupt_result_is_named_and_does_not_count(build, text, complaint):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    path = build.root / case["result"]
    if text == "{}":
        complaint = f"{path}: the file lacks"
    path.write_text(text)
    outcome = only(build)
    assert outcome.verdict is Verdict.CORRUPT
    assert str(path) in outcome.message
    assert complaint in outcome.message
    assert outcome.score("performance") is None


def test_result_that_is_not_utf8(build):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    (build.root / case["result"]).write_bytes(b'{"schema": 1, "case": "\xff"}')
    assert only(build).verdict is Verdict.CORRUPT


@pytest.mark.parametrize("kind", ["pipe", "endless", "huge"])
def test_a_result_that_is_no_usual_file_is_corrupt(build, kind):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    path = build.root / case["result"]
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)  # nobody writes to it
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(1 << 40)
    outcome = only(build)
    assert outcome.verdict is Verdict.CORRUPT
    assert f"{path}: is no regular file" in outcome.message


@pytest.mark.parametrize(
    "change",
    [
        {"scores": {"performance": "0.7", "speed_of_light": 0.6}},
        {"scores": {"performance": -1, "speed_of_light": 0.6}},
        {"scores": {"performance": True, "speed_of_light": 0.6}},
        {"verdict": "fine"},
        {"verdict": "pass", "stage": "values"},
        {"verdict": "fail", "stage": None},
        {"case": "another_case"},
        {"seed": 7},
    ],
)
def test_result_of_wrong_content_is_corrupt(build, change):
    build.result(build.case(), **change)
    assert only(build).verdict is Verdict.CORRUPT


def test_corrupt_compile_record(build):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    (build.root / case["compile_record"]).write_text("{")
    assert only(build).verdict is Verdict.CORRUPT


def test_result_that_is_a_directory(build):
    case = build.case()
    build.compiled(case)
    (build.root / case["result"]).mkdir(parents=True)
    assert only(build).verdict is Verdict.CORRUPT


@pytest.mark.parametrize("text", ["", "{", '{"schema": 1, "name": "x", "cases": []}', '{"schema": 1}'])
def test_corrupt_manifest_is_an_input_error(build, text):
    build.case()
    path = build.run / "manifest.json"
    path.write_text(text)
    with pytest.raises(InputError, match="manifest.json.*configure"):
        graded(build)


def test_manifest_with_one_case_twice(build):
    build.case()
    build.case()
    with pytest.raises(InputError, match="occurs twice"):
        graded(build)


def test_no_manifest(tmp_path):
    with pytest.raises(InputError, match="holds no cudabench"):
        load_runs([tmp_path])
    with pytest.raises(InputError, match="no such file or directory"):
        load_runs([tmp_path / "absent"])


@pytest.mark.parametrize(
    ("verdict", "stage"),
    [
        ("pass", "values"),
        ("fail", None),
        ("not_run", "values"),
        ("fail", "fault"),
        ("fault", "not_run"),
        ("not_run", None),
    ],
)
def test_verdict_and_stage_must_agree(build, verdict, stage):
    build.result(build.case(), verdict, stage=stage)
    assert only(build).verdict is Verdict.CORRUPT
    assert f"verdict {verdict} contradicts stage {stage}" in only(build).message


SCORES = {"performance": 0.5, "speed_of_light": 0.5, "attainable_seconds": 1e-6}
TIMED = {"measurement": {"seconds": 1e-5}, "scores": SCORES}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"scores": SCORES | {"performance": -1}}, "scores.performance is -1, expected at least 0"),
        ({"scores": SCORES | {"performance": 10**30}}, "too large"),
        ({"measurement": {"seconds": 0}}, "measurement.seconds is 0, expected more than 0"),
        ({"measurement": {"seconds": -1e-6}}, "expected at least 0"),
        ({"measurement": None}, "has scores but no measurement"),
        ({"device": None}, "names no device.uuid"),
        ({"device": {"name": "NVIDIA H200", "uuid": ""}}, "names no device.uuid"),
    ],
)
def test_a_pass_whose_numbers_cannot_be(build, changes, reason):
    build.result(build.case(), **(TIMED | changes))
    assert only(build).verdict is Verdict.CORRUPT
    assert reason in only(build).message
    assert only(build).score("performance") is None


@pytest.mark.parametrize("number", ["1e400", "-1e400", "NaN", "Infinity", "1" * 400])
def test_a_score_that_is_no_finite_number(build, number):
    case = build.case()
    build.result(case, **TIMED)
    path = build.root / case["result"]
    path.write_text(path.read_text().replace('"performance": 0.5', f'"performance": {number}'))
    assert only(build).verdict is Verdict.CORRUPT


def test_a_pass_that_was_not_timed_needs_no_gpu(build):
    build.result(build.case(), device={"name": "CPU", "uuid": ""})
    assert only(build).verdict is Verdict.PASS


@pytest.mark.parametrize("kind", ["pipe", "device", "large"])
def test_a_source_that_is_no_file_is_not_read(build, kind):
    """Nothing is waited for, and what was graded is no longer there."""
    case = build.case()
    build.passed(case, 0.7, 0.6)
    source = Path(case["candidate"]["source"])
    source.unlink()
    if kind == "pipe":
        os.mkfifo(source)
    elif kind == "device":
        source.symlink_to("/dev/zero")
    else:
        source.write_bytes(b" " * ((16 << 20) + 1))
    assert only(build).verdict is Verdict.STALE


def test_control_characters_are_not_printed(build):
    hostile = "a\x1b[2Jb\x07c\x7fd\x9be\rf\ud800g\u202eh\u2066i\u200fj\tk\né"
    build.failed(build.case(), "values", hostile)
    build.compiled(build.case("transpose"), "failed", stderr=f"error: {hostile}")
    for outcome, start in zip(graded(build), ("", "error: "), strict=True):
        assert outcome.headline == f"{start}a?[2Jb?c?d?e?f?g?h?i?j\tk"
    run = load_runs([build.root])[0]
    for text in (render(run, Terminal(120, False)), markdown_text([run])):
        assert not set("\x1b\u202e\u2066\u200f") & set(text)


@pytest.mark.parametrize("status", ["ok", "failed"])
def test_a_header_changed_after_grading(build, status):
    case = build.case()
    build.passed(case, 0.7, 0.6)
    header = build.root / "shared.h"
    header.write_text("#define SIZE 1\n")
    entry = {"path": str(header), "sha256": hashlib.sha256(header.read_bytes()).hexdigest()}
    build.compiled(case, status, inputs=[entry])
    assert only(build).verdict is (Verdict.PASS if status == "ok" else Verdict.FAIL)
    header.write_text("#define SIZE 2\n")
    assert only(build).verdict is Verdict.STALE
    assert str(header) in only(build).message
    header.unlink()  # as where the build tree was moved
    assert only(build).verdict is not Verdict.STALE
