"""What a reply says, and what it hides."""

import json
from pathlib import Path

import pytest

from grade import reply
from grade.request import Limits, Request
from report.counted import Counted
from report.schema import first_error_of

SCHEMA = json.loads((Path(reply.__file__).parent / "reply.schema.json").read_text(encoding="utf-8"))
HARNESS = Path(reply.__file__).parents[2] / "harness"
RECORD = {
    "status": "ok",
    "seconds": 1.5,
    "stderr": "",
    "kernels": [{"name": "k", "registers": 20, "shared_bytes": 0, "stack_bytes": 0, "spill_stores": 8,
                 "spill_loads": 4, "constant_bytes": 380}],
}  # fmt: skip
MISMATCHES = {
    "output": "y",
    "count": 1,
    "total": 9,
    "first": [{"index": 5, "expected": 1.5, "got": "nan", "allowed": 0}],
}
SECONDS = {"queue": 0.0, "compile": 1.5, "total": 2.0}


def result(verdict: str, stage: str | None = None, message: str = "", scale: str = "tiny", **more: object) -> dict:
    return {"scale": scale, "verdict": verdict, "stage": stage, "message": message, "mismatches": None,
            "measurement": None, "scores": None, "marks": [], "host_dependent": False, "device": {"name": ""},
            "printed": "input is 0.25", "seconds": {"total": 0.5}} | more  # fmt: skip


MODEL = {"source": "model", "fp32": 3e6, "fp64": 0, "tensor": 0, "sfu": 0, "int32": 0, "bytes": 1e5}
PASSED = result(
    "pass",
    measurement={"seconds": 2e-5, "low": 1.9e-5, "high": 2.1e-5},
    scores={"performance": 0.5, "speed_of_light": 0.75, "attainable_seconds": 1e-5},
    device={"name": "NVIDIA H200"},
    work=MODEL,
)


def answer(
    results: list[dict], feedback: str = "full", status: str = "ok", counted: list[Counted] | None = None
) -> dict:
    request = Request("a", "softmax", b"source", feedback=feedback)
    found = reply.graded(
        request, 0xAB, RECORD | {"status": status}, results, counted or [None] * len(results), SECONDS, cached=False
    )
    assert first_error_of(found, SCHEMA) is None
    return found


def test_of_a_passed_candidate():
    found = answer([PASSED, {**PASSED, "scale": "large"}])
    assert (found["verdict"], found["exit_code"], found["stage"], found["scale"]) == ("pass", 0, None, None)
    assert (found["id"], found["message"], found["seed"]) == ("a", "", "0x00000000000000ab")
    assert found["source_sha256"] == "41cf6794ba4200b839c53531555f0f3998df4cbb01a4d5cb0b94e3ca5e23947d"
    assert found["cases"][1]["interval"] == [1.9e-5, 2.1e-5]
    assert found["cases"][1]["scores"] == {"performance": 0.5, "speed_of_light": 0.75}
    assert found["compile"]["kernels"][0]["spill_stores"] == 8


@pytest.mark.parametrize(
    ("verdicts", "decisive", "exit_code"),
    [
        (["pass", "fail"], 1, 1),
        (["fail", "fault"], 0, 1),
        (["fault", "fail"], 1, 1),
        (["not_run", "fault"], 1, 4),
        (["not_run", "not_run"], 0, 3),
        (["pass", "not_run"], 1, 3),
    ],
)
def test_the_decisive_scale(verdicts, decisive, exit_code):
    scales = ["tiny", "small"]
    results = [
        PASSED if verdict == "pass" else result(verdict, "values" if verdict == "fail" else verdict, scale, scale)
        for verdict, scale in zip(verdicts, scales, strict=True)
    ]
    found = answer(results)
    assert (found["verdict"], found["exit_code"]) == (verdicts[decisive], exit_code)
    assert (found["scale"], found["message"]) == (scales[decisive], scales[decisive])


WORK = {"source": "counters", "fp32": 1e6, "fp64": 0, "tensor": 0, "bytes": 2e5}


def test_counted_work_scores():
    counted = Counted("measured", None, WORK, 0.25, ("launch_bound",))
    (case,) = answer([PASSED], counted=[counted])["cases"]
    assert (case["counters"], case["counters_reason"], case["work"]) == ("measured", None, WORK)
    assert (case["scores"], case["marks"]) == ({"performance": 0.25, "speed_of_light": 0.75}, ["launch_bound"])


def test_without_counters_the_models_work_stands():
    (case,) = answer([PASSED])["cases"]
    assert (case["counters"], case["work"], case["scores"]["performance"]) == ("declared", MODEL, 0.5)
    assert "were not asked for" in case["counters_reason"]
    (case,) = answer([result("fail", "values")])["cases"]
    assert (case["counters"], case["counters_reason"], case["work"]) == (None, None, None)


def test_minimal_feedback_hides_what_counts_could_carry():
    failed = Counted("declared", "host code threw an uncaught exception: rows are xxxx", MODEL, 0.5, ())
    (case,) = answer([PASSED], "minimal", counted=[failed])["cases"]
    assert (case["counters"], case["counters_reason"], case["work"]) == ("declared", None, None)
    (case,) = answer([PASSED], "minimal", counted=[Counted("measured", None, WORK, 0.25, ())])["cases"]
    assert (case["counters"], case["counters_reason"], case["work"]) == ("measured", None, None)


SAID = "element 5 is nan, expected 1.5 within 0.001; shape edge_7x3 (rows = 7, cols = 3)"


@pytest.mark.parametrize(
    ("stage", "message", "hidden", "kept"),
    [
        ("edge", SAID, ["nan", "1.5", "7", "rows"], "wrong values at a small shape"),
        ("values", SAID, ["nan", "1.5", "7", "rows"], "wrong values"),
        ("plausible", "took 1e-06 s, which is faster than 5e-06 s", ["e-06"], "faster"),
        ("launch", f"CUDA error 700 (cudaErrorIllegalAddress) at 0x7f12ab; {SAID.split('; ')[1]}", ["7f12", "rows"],
         "cudaErrorIllegalAddress"),
        ("launch", "illegal memory access: write of 4 bytes at 0x8; kernel plum, block (0, 0, 0)", ["plum"], "illegal"),
        ("launch", "CUDA error 719 (cudaErrorLaunchFailure) at cuEventQuery, kernel plum", ["plum"], "cudaErrorLaunch"),
        ("launch", "CUDA error 719 (cudaErrorLaunchFailure), in one of the kernels plum, fig", ["plum"],
         "cudaErrorLaunch"),
        ("launch", "assertion `apple` failed (plum.cu:3); kernel fig", ["apple", "plum", "fig"], "assertion"),
        ("not_run", "needs a GPU: the CPU executor has no clusters (kernel plum); shape edge_7x3 (rows = 7, cols = 3)",
         ["plum", "rows"], "no clusters"),
        ("fault", "cannot interpret kernel plum: mma.sync", ["plum"], "cannot"),
        ("contract", "host code called exit(42) before it returned; shape tiny (rows = 36, cols = 128)", ["42", "36"],
         "host code called exit"),
        ("contract", "host code threw an uncaught exception: value akldgfpd rows rrr; shape tiny (rows = 36)",
         ["akld", "rrr"], "host code threw an uncaught exception"),
        ("contract", "what a process says that writes its own report", ["report"], "broke the contract"),
    ],
)  # fmt: skip
def test_minimal_feedback(stage, message, hidden, kept):
    wrong = result(stage if stage in ("not_run", "fault") else "fail", stage, message, mismatches=MISMATCHES)
    full = answer([wrong])
    assert (full["message"], full["mismatches"]) == (message, MISMATCHES)
    assert full["cases"][0]["printed"] == "input is 0.25"

    found = answer([wrong], "minimal")
    assert kept in found["message"]
    assert found["mismatches"] is None
    assert "printed" not in found["cases"][0]
    shown = json.dumps([found["message"], found["cases"][0]["message"]])
    assert not [word for word in hidden if word in shown]


def test_minimal_feedback_knows_what_host_code_can_end_with():
    source = "\n".join(path.read_text() for path in HARNESS.glob("r*/**/*.cpp"))
    assert [ending for ending in reply._ENDINGS if ending not in source] == []


def test_minimal_feedback_keeps_what_the_compiler_says():
    said = 'k.cu(3): error: identifier "x9" is undefined\nmore'
    found = answer([result("fail", "compile", said)], "minimal", "failed")
    assert found["message"] == 'k.cu(3): error: identifier "x9" is undefined'
    assert found["cases"][0]["message"] == said


def test_of_what_was_not_graded():
    request = Request(3, "softmax", b"")
    for verdict, exit_code in (("fault", 4), ("not_run", 3)):
        found = reply.not_graded(request, verdict, "disk full\nmore", SECONDS)
        assert first_error_of(found, SCHEMA) is None
        assert (found["verdict"], found["exit_code"], found["message"]) == (verdict, exit_code, "disk full")
    found = reply.refused("x", "seed", "must be a number")
    assert first_error_of(found, SCHEMA) is None
    assert (found["exit_code"], found["field"], found["message"]) == (2, "seed", "seed: must be a number")


def test_the_command_that_repeats_it():
    request = Request(
        "k.cu", "softmax", b"", Path("/a b/k.cu"), ("tiny", "huge"), "values", limits=Limits(host_seconds=0.5)
    )
    assert reply.command(request, 0xAB) == (
        "./cudabench grade '/a b/k.cu' --task softmax --scales tiny,huge --stop-after values --seed 0xab "
        "--host-limit 0.5"
    )


@pytest.mark.parametrize("feedback", ["full", "minimal"])
def test_a_refusal_by_the_contract_is_in_its_own_words(feedback):
    log = '/me/contracts/softmax.h(48): error: static assertion failed with "CUDABENCH_CONTRACT: no solve"\n'
    request = Request("a", "softmax", b"source", feedback=feedback)
    refused = result("fail", "contract", f"{log}{log}")
    found = reply.graded(
        request, 1, RECORD | {"status": "failed", "stderr": log}, [refused], [None], SECONDS, cached=False
    )
    assert found["message"] == "no solve"
    assert found["cases"][0]["message"] == f"no solve\n{log}"
    assert found["compile"]["log"] == log
