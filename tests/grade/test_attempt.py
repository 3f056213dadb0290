"""What workers are asked for one candidate."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from grade.attempt import Attempt
from grade.request import Request

PASSED = {"verdict": "pass", "stage": None, "measurement": {"seconds": 1.0}, "seconds": {}, "scale": "tiny",
          "candidate": {"source_sha256": "e3b0"}}  # fmt: skip


class Worker:
    """Notes the cases and gives the verdicts that it was told."""

    def __init__(self, verdicts: list[str]) -> None:
        self.verdicts = verdicts
        self.cases: list[dict] = []

    def grade(self, case: dict) -> tuple[dict, bool]:
        self.cases.append(case)
        verdict = self.verdicts[len(self.cases) - 1]
        return PASSED | {"verdict": verdict, "stage": None if verdict == "pass" else "values"}, True


def asked(verdicts: list[str], **fields: object) -> list[dict]:
    worker = Worker(verdicts)
    compiled = SimpleNamespace(record={"status": "ok"}, module=Path("m.so"), record_path=Path("r.json"))
    request = Request("a", "softmax", b"", scales=("tiny", "small", "medium"), **fields)
    reservation = SimpleNamespace(worker=lambda: worker, drop=lambda: None)
    list(Attempt(request, compiled, 7, None, reservation, {}).results())
    return worker.cases


def test_scales_are_asked_for_in_turn_and_the_worker_knows_the_last():
    cases = asked(["pass"] * 3)
    assert [case["scale"] for case in cases] == ["tiny", "small", "medium"]
    assert [case["edges"] for case in cases] == [True, False, False], "they passed already"
    assert [case["last"] for case in cases] == [False, False, True]
    assert {case["seed"] for case in cases} == {"0x7"}


def test_what_will_be_counted_has_no_last_case():
    assert not any(case["last"] for case in asked(["pass"] * 3, counters=True))


@pytest.mark.parametrize(("keep_going", "count"), [(False, 1), (True, 3)])
def test_a_failure_ends_it_unless_it_is_to_go_on(keep_going, count):
    assert len(asked(["fail"] * 3, keep_going=keep_going)) == count
