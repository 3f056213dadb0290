"""Each example ends in the stage that it was written for."""

import json
from pathlib import Path

import pytest
from conftest import EXAMPLES, Grading, manifest

EXPECTED = json.loads((EXAMPLES / "expected.json").read_text(encoding="utf-8"))
WITHOUT_GPU = ("compile", "contract")  # stages that need none


def expected_stage(name: str, scale: str, has_gpu: bool) -> str:
    """Without a GPU tiny cases are graded on the CPU."""
    stage = EXPECTED[name]
    if isinstance(stage, dict):
        stage = stage[scale]
    return stage if has_gpu or scale == "tiny" or stage in WITHOUT_GPU else "not_run"


def ended_in(result: dict) -> str:
    return result["stage"] or result["verdict"]


def test_expectations_cover_every_example() -> None:
    files = {str(file.relative_to(EXAMPLES).with_suffix("")) for file in EXAMPLES.rglob("*.cu")}
    assert files == set(EXPECTED)


def test_every_case_ran(grading: Grading, build_dir: Path) -> None:
    cases = {(case["candidate"]["name"], case["scale"]) for case in manifest(build_dir)["cases"]}
    assert cases == set(grading.results)


@pytest.mark.parametrize("name", EXPECTED)
def test_stage(grading: Grading, name: str) -> None:
    results = {scale: result for (candidate, scale), result in grading.results.items() if candidate == name}
    assert results
    wrong = {
        scale: f"{ended_in(result)}: {result['message']}"
        for scale, result in results.items()
        if ended_in(result) != expected_stage(name, scale, grading.has_gpu)
    }
    assert not wrong


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("forks/softmax", "forbidden system call"),
        ("host_crash/softmax", "SIGSEGV"),
        ("host_endless/softmax@tiny", "longer than its limit"),
        ("host_exit/softmax", "exit(0)"),
        ("host_library/matrix_multiplication", "cublasSgemm"),
        ("not_compiling/softmax", "softmax_kernel"),
        ("wrong_signature/softmax", "const float* input, float* output, int rows, int cols"),
    ],
)
def test_message_names_the_cause(grading: Grading, name: str, words: str) -> None:
    assert words in grading.results[name, "tiny"]["message"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("device_endless/softmax@tiny", "wait_for_change"),
        ("device_out_of_bounds/softmax", "illegal memory access"),
        ("does_nothing/matrix_multiplication", "never written"),
        ("off_by_one/gaussian_blur", "expected"),
        ("writes_input/softmax", "illegal memory access"),
    ],
)
def test_message_of_device_code(grading: Grading, name: str, words: str) -> None:
    """The same words from a GPU and from the CPU executor."""
    assert words in grading.results[name, "tiny"]["message"]


def test_score(grading: Grading) -> None:
    """Null, with a reason, unless every case ran; no figure is invented."""
    total = grading.report["runs"][0]["total"]
    if grading.has_gpu:
        cases = grading.report["runs"][0]["cases"]
        mean = sum(case["performance"] for case in cases) / len(grading.results)
        assert total["performance"] == pytest.approx(mean, rel=1e-9)
        assert grading.code == 0
    else:
        assert total["performance"] is None
        assert grading.code == 3
        assert all(result["measurement"] is None for result in grading.results.values())
