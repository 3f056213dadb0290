"""A line that makes no sense is refused, naming the field."""

import json

import pytest

from grade.request import Limits, RequestError, parse

TASKS = {"softmax": "softmax", "row_softmax": "softmax", "prefix_sum": "prefix_sum"}
GOOD = {"id": "a", "task": "softmax", "source": "x"}


def refusal(fields: object) -> RequestError:
    with pytest.raises(RequestError) as raised:
        parse(fields if isinstance(fields, bytes) else json.dumps(fields).encode(), TASKS)
    return raised.value


def test_all_fields(tmp_path):
    limits = {"compile_seconds": 5, "host_seconds": 0.5, "device_seconds": 2}
    fields = GOOD | {"task": "row_softmax", "scales": ["large", "tiny", "tiny"], "stop_after": "values",
                     "seed": "0xff", "feedback": "minimal", "keep_going": True, "limits": limits}  # fmt: skip
    request = parse(json.dumps(fields).encode(), TASKS)
    assert (request.task, request.source, request.seed) == ("softmax", b"x", 255)
    assert request.scales == ("tiny", "large"), "small scales find most faults at the least cost"
    assert request.limits == Limits(5, 0.5, 2)


def test_defaults():
    request = parse(json.dumps(GOOD | {"id": 7}).encode(), TASKS)
    assert (request.id, request.scales[0], request.scales[-1], len(request.scales)) == (7, "tiny", "huge", 5)
    assert (request.stop_after, request.seed, request.feedback, request.keep_going) == (
        "plausible",
        None,
        "full",
        False,
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": None}, "id"),
        ({"id": True}, "id"),
        ({"task": "softmx"}, "task"),
        ({"task": None}, "task"),
        ({"task": ["softmax"]}, "task"),
        ({"source": 3}, "source"),
        ({"path": "also.cu"}, "source"),
        ({"scales": []}, "scales"),
        ({"scales": "tiny"}, "scales"),
        ({"scales": ["tiny", "hug"]}, "scales"),
        ({"scales": [None]}, "scales"),
        ({"stop_after": "measured"}, "stop_after"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"),
        ({"seed": "0xg"}, "seed"),
        ({"seed": True}, "seed"),
        ({"feedback": "none"}, "feedback"),
        ({"keep_going": 1}, "keep_going"),
        ({"limits": 3}, "limits"),
        ({"limits": {"host_seconds": 0}}, "limits.host_seconds"),
        ({"limits": {"host": 1}}, "limits.host"),
        ({"scale": "tiny"}, "scale"),
    ],
)
def test_the_field_is_named(change, field):
    assert refusal(GOOD | change).field == field


def test_the_nearest_task_is_offered():
    assert "did you mean softmax" in str(refusal(GOOD | {"task": "softmx"}))


def test_id_is_known_of_a_refused_request():
    assert refusal(GOOD | {"id": 5, "seed": -1}).request_id == 5


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"3", b"\xff", b"[" * 100_000, b'{"id": NaN}'])
def test_what_is_no_request(line):
    assert refusal(line).request_id is None


def test_source_in_a_file(tmp_path):
    file = tmp_path / "softmax.cu"
    fields = {"id": 1, "task": "softmax", "path": str(file)}
    assert refusal(fields).field == "path"
    file.write_bytes(b"\xff")
    request = parse(json.dumps(fields).encode(), TASKS)
    assert (request.source, request.path, request.file_name) == (b"\xff", file, "softmax.cu")


def test_source_has_a_limit():
    assert refusal(GOOD | {"source": "x" * (5 << 20)}).field == "source"


def test_a_list_of_names_that_is_cut_says_so():
    known = {f"task_{number}": "softmax" for number in range(9)}
    with pytest.raises(RequestError, match="known are task_0, .*task_7 and others; ./cudabench list shows all"):
        parse(json.dumps(GOOD | {"task": "zzz"}).encode(), known)
    assert "others" not in str(refusal(GOOD | {"task": "zzz"}))
