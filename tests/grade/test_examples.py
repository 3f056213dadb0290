"""Verdicts are those that CTest gives of all examples (candidates/examples/expected.json), since both come from one
function; without a GPU those of the smallest scale."""

import json
from collections.abc import Iterator

import pytest
from conftest import COMMAND, EXAMPLES

from generator.definition import SCALES
from grade.client import Grader

EXPECTED = json.loads((EXAMPLES / "expected.json").read_text(encoding="utf-8"))
# Candidates that never end shall not take ten seconds for each scale.
LIMITS = {"host_seconds": 5, "device_seconds": 5}


def task_of(name: str) -> str:
    return name.partition("/")[2].partition("@")[0]


def scales_of(name: str, has_gpu: bool) -> tuple[str, ...]:
    return SCALES if has_gpu and "@" not in name else ("tiny",)


def expected_of(name: str, scale: str) -> str:
    stage = EXPECTED[name]
    return stage if isinstance(stage, str) else stage[scale]


@pytest.fixture(scope="module")
def replies(build_dir, has_gpu) -> Iterator[dict]:
    tasks = ",".join(sorted({task_of(name) for name in EXPECTED}))
    command = [*COMMAND, "--serve", "--build-dir", build_dir, "--tasks", tasks]
    with Grader(command) as grader:
        yield {
            name: grader.submit(
                task_of(name),
                (EXAMPLES / f"{name}.cu").read_text(encoding="utf-8"),
                scales=scales_of(name, has_gpu),
                keep_going=True,
                limits=LIMITS,
            )
            for name in EXPECTED
        }


@pytest.mark.parametrize("name", EXPECTED)
def test_verdicts_are_those_of_ctest(replies, has_gpu, name):
    reply = replies[name].result()
    found = {case["scale"]: case["stage"] or case["verdict"] for case in reply.json["cases"]}
    built = reply.stage != "compile" and "CUDABENCH_CONTRACT" not in reply.log
    tried = scales_of(name, has_gpu) if built else scales_of(name, has_gpu)[:1]  # what was not built has no scales
    assert found == {scale: expected_of(name, scale) for scale in tried}, reply.message
    if has_gpu and reply.passed:
        assert all(case["seconds"] > 0 and case["scores"]["speed_of_light"] > 0 for case in reply.json["cases"])
