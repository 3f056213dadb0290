"""The Python client, and the examples of docs/grade.md."""

import json
import re
import sys
from pathlib import Path

import pytest
from conftest import COMMAND, ROOT, SOURCES, TASKS

from grade import server
from grade.client import LONGEST_LINE, Grader, GradingFault, RequestRefused
from report.schema import first_error_of

# A server that needs no GPU: what holds "good" passes, the rest is as it says.
STUB = """
import json, sys
from grade import reply
from grade.request import Request
for line in sys.stdin:
    asked = json.loads(line)
    source = asked["source"]
    if source == "end":
        sys.exit()
    passed = "good" in source
    verdict = "pass" if passed else source if source in ("fault", "not_run") else "fail"
    result = {"scale": "tiny", "verdict": verdict, "stage": None if passed else "values",
              "message": "" if passed else "element 3 is 1, expected 2", "mismatches": None, "marks": [],
              "measurement": {"seconds": 2e-5, "low": 1e-5, "high": 3e-5} if passed else None,
              "scores": {"performance": 0.5, "speed_of_light": 0.25} if passed else None, "host_dependent": False,
              "device": {"name": ""}, "printed": "", "seconds": {}}
    record = {"status": "ok", "seconds": 1, "stderr": "", "kernels": []}
    request = Request(asked["id"], asked["task"], source.encode())
    print(json.dumps(reply.graded(request, 1, record, [result], [None], {}, cached=False)), flush=True)
"""


@pytest.fixture
def stub():
    with Grader([sys.executable, "-c", STUB]) as grader:
        yield grader


def test_a_reply_is_typed(stub):
    reply = stub.grade("softmax", "good")
    assert reply.passed
    (case,) = reply.cases
    assert (case.scale, case.seconds, case.performance, case.speed_of_light) == ("tiny", 2e-5, 0.5, 0.25)
    assert reply.json["seed"] == "0x0000000000000001"


def test_replies_belong_to_their_requests(stub):
    sources = ["good" if number % 3 == 0 else f"wrong {number}" for number in range(30)]
    futures = [stub.submit("softmax", source) for source in sources]
    assert [future.result(30).passed for future in futures] == [source == "good" for source in sources]


@pytest.mark.parametrize("verdict", ["fault", "not_run"])
def test_a_fault_is_no_verdict(stub, verdict):
    with pytest.raises(GradingFault, match=verdict):
        stub.grade("softmax", verdict)


def test_the_end_of_the_server_is_a_fault(stub):
    with pytest.raises(GradingFault, match="ended"):
        stub.grade("softmax", "end")
    with pytest.raises(GradingFault, match="ended"):
        stub.grade("softmax", "good")


def test_what_could_have_no_reply_is_refused_at_once(stub):
    assert LONGEST_LINE == server.LONGEST_LINE
    with pytest.raises(RequestRefused, match="too long"):
        stub.grade("softmax", "x" * LONGEST_LINE)
    with pytest.raises(TypeError):
        stub.grade("softmax", "good", seed=object())
    assert stub.grade("softmax", "good", id="another").passed, "the client numbers its requests"


def test_with_the_real_server(build_dir):
    command = [*COMMAND, "--serve", "--build-dir", build_dir, "--tasks", ",".join(TASKS), "--jobs", "1"]
    with Grader(command) as grader:
        assert grader.grade("softmax", SOURCES["good"], stop_after="compile").passed
        reply = grader.grade("softmax", SOURCES["not_compiling"])
        assert (reply.stage, "softmax_kernel" in reply.log) == ("compile", True)
        with pytest.raises(RequestRefused, match="scales"):
            grader.grade("softmax", SOURCES["good"], scales=["hug"])


def test_where_nobody_listens_the_place_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=f"does a server listen there.*{tmp_path}/absent"):
        Grader(address=tmp_path / "absent")
    with pytest.raises(OSError, match="path too long; does a server listen there"):
        Grader(address=tmp_path / ("a" * 200))


def test_examples_of_the_documentation(stub, monkeypatch):
    """They are executed as they stand, with a model that gets it right at the third attempt."""
    text = (ROOT / "docs" / "grade.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(examples) == 2
    attempts = iter(["wrong", "wrong again", "good"])
    seen = []

    def ask_model(prompt: str) -> str:
        seen.append(prompt)
        return next(attempts)

    names = {"ask_model": ask_model}
    for example in examples:
        exec(compile(example, "docs/grade.md", "exec"), names)
    assert names["improve"](stub, "softmax", "Write softmax.", attempts=5) == "good"
    assert len(seen) == 3
    assert "element 3 is 1, expected 2" in seen[1]
    assert names["rewards"](stub, "softmax", ["good", "wrong", "fault"]) == [0.25, 0.0, None]


def test_the_schema_is_what_the_documentation_names():
    text = (ROOT / "docs" / "grade.md").read_text(encoding="utf-8")
    schema = json.loads((ROOT / "tools" / "grade" / "reply.schema.json").read_text(encoding="utf-8"))
    missing = [name for name in schema["properties"] if f"`{name}`" not in text]
    assert not missing
    (example,) = re.findall(r"<!-- example: reply -->\n```json\n(.*?)```", text, re.DOTALL)
    assert first_error_of(json.loads(example), schema) is None
    assert Path(ROOT / "tools" / "grade" / "client.py").stat().st_size < 8000
