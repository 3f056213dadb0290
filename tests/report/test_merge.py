"""One run that several machines have graded."""

import json

import pytest
from conftest import DEVICE, BuildTree
from test_table import run_report

from report.__main__ import load_runs
from report.document import document
from report.manifest import InputError
from report.schema import first_error
from report.table import render
from report.terminal import Terminal


@pytest.fixture
def machines(tmp_path):
    """The two shards of a run, on two machines."""
    first, second = BuildTree(tmp_path / "first"), BuildTree(tmp_path / "second")
    for index, (tree, task) in enumerate(((first, "softmax"), (second, "gelu")), start=1):
        device = DEVICE | {"uuid": f"GPU-{index}"}
        scores = {"performance": 0.5, "speed_of_light": 0.25, "attainable_seconds": 1e-6}
        tree.result(tree.case(task, "tiny"), measurement={"seconds": 1e-5}, device=device, scores=scores)
        tree.result(tree.case(task, "huge"), "fail", stage="values", message="wrong", device=device)
        shard(tree, index, 2)
    return first, second


def shard(tree: BuildTree, index: int, count: int) -> None:
    path = tree.run / "manifest.json"
    content = json.loads(path.read_text()) | {"shard": {"index": index, "count": count}}
    tree.write(path, content)


def test_shards_make_one_run(machines):
    first, second = machines
    (run,) = load_runs([first.root, second.root])
    assert [o.case.id for o in run.outcomes] == [case["id"] for case in first.cases + second.cases]
    content = document([run])
    assert first_error(content, "report") is None
    (entry,) = content["runs"]
    assert entry["total"]["performance"] == pytest.approx(0.25)  # (0.5 + 0 + 0.5 + 0) / 4
    assert entry["total"]["reason"] is None
    assert [part["shard"] for part in entry["parts"]] == [1, 2]
    assert [part["devices"] for part in entry["parts"]] == [["NVIDIA H200 (GPU-1)"], ["NVIDIA H200 (GPU-2)"]]
    assert f"ctest --test-dir {second.root} " in entry["cases"][3]["repeat"]


def test_machines_are_named(machines):
    first, second = machines
    text = render(load_runs([first.root, second.root])[0], Terminal(200, colour=False))
    assert f"  {first.root}: shard 1, NVIDIA H200 (GPU-1)\n  {second.root}: shard 2, NVIDIA H200 (GPU-2)\n" in text


def test_without_all_shards_there_is_no_score(machines):
    first, _ = machines
    (run,) = load_runs([first.root])
    entry = document([run])["runs"][0]
    assert (entry["total"]["performance"], entry["macro_mean"]["performance"]) == (None, None)
    assert entry["total"]["reason"] == "1 shard of 2 not here: 2"
    assert entry["by"]["scale"]["tiny"]["performance"] is None
    assert entry["total"]["correct"] == 1
    assert "No score: 1 shard of 2 not here: 2" in render(run, Terminal(120, colour=False))


def test_runs_of_one_place_stay_apart(machines):
    first, second = machines
    for tree in machines:
        other = tree.root / "cudabench" / "others"
        other.mkdir()
        text = (tree.run / "manifest.json").read_text()
        (other / "manifest.json").write_text(text.replace('"candidates"', '"others"'))
    runs = load_runs([first.root, second.root])
    assert [(run.manifest.name, len(run.outcomes)) for run in runs] == [("candidates", 4), ("others", 4)]
    assert len(load_runs([first.root])) == 2


def test_overlap_is_refused(machines):
    first, second = machines
    with pytest.raises(InputError, match="both hold the case gpt_level3_softmax_tiny: a case can count once only"):
        load_runs([first.root, second.root, first.root])
    process = run_report(str(first.root), str(first.root))
    assert process.returncode == 2
    assert process.stdout == ""
    assert "both hold the case" in process.stderr


def test_different_statements_of_a_task_are_refused(machines):
    first, second = machines
    case = second.case("softmax", "small")
    case["task_hash"] = "of a later statement"
    second.write(second.run / "manifest.json", {"schema": 1, "name": "candidates", "cases": second.cases})
    shard(second, 2, 2)
    with pytest.raises(InputError, match="different statements of the task softmax"):
        load_runs([first.root, second.root])


def test_parts_of_different_divisions_are_refused(machines):
    first, second = machines
    shard(second, 2, 3)
    with pytest.raises(InputError, match=r"different divisions: .*is shard 1/2, .*is shard 2/3"):
        load_runs([first.root, second.root])
    second.write(second.run / "manifest.json", {"schema": 1, "name": "candidates", "cases": second.cases})
    with pytest.raises(InputError, match="is a whole run"):
        load_runs([first.root, second.root])


def test_no_report_is_left_beside_a_part(machines):
    first, second = machines
    process = run_report(str(first.root), str(second.root), "--json")
    assert process.returncode == 0
    assert len(json.loads(process.stdout)["runs"]) == 1
    assert not (first.run / "report.json").exists()
