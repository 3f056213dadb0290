"""What is performed: mistakes of an author are told, each with a task that is spoilt in one place."""

import json
from dataclasses import replace

import numpy as np
import pytest

from check_task import reference
from check_task.argued import Argued
from check_task.examiner import ExaminerFault, PerformanceFailure, Trial, examiner
from check_task.honest import check_honest, count_work, honest_kernels
from check_task.mutation.bundle import Bundles, CompileError
from check_task.null_models import check_null_models
from check_task.oracle import oracle

TASK = "softmax"  # whose reference this build tree has


@pytest.fixture(scope="module")
def task(tasks):
    return tasks[TASK]


@pytest.fixture(scope="module")
def performer(build_dir):
    with examiner(build_dir, use_gpu=False) as one:
        yield one


@pytest.fixture
def moved(task, tmp_path):
    """The task in a task set of its own."""
    path = tmp_path / "tasks" / task.domain / f"{task.name}.toml"
    for old, new in (
        (task.path, path),
        (task.reference_path, tmp_path / "references" / task.domain / f"{task.name}.cu"),
        (task.oracle_path, tmp_path / "references" / "oracles" / f"{task.domain}.py"),
    ):
        new.parent.mkdir(parents=True)
        new.write_bytes(old.read_bytes())
    return replace(task, path=path)


def test_inputs_are_as_the_task_says_and_repeat(task, performer):
    trial = Trial(task.scales[0], True)
    opened = performer.open(task, trial)
    scores = opened.inputs["input"]
    assert scores.shape == trial.shape.input_extents[0]
    assert scores.min() >= 80
    assert scores.max() <= 120
    assert np.allclose(opened.expected["output"].sum(axis=1), 1)
    assert np.array_equal(performer.open(task, trial).inputs["input"], scores)
    assert not np.array_equal(performer.open(task, replace(trial, number=1)).inputs["input"], scores)


def test_answers_are_judged_by_the_bound(task, performer):
    opened = performer.open(task, Trial(task.scales[0], False))
    truth = opened.expected["output"]
    exact = performer.judge(task, {"output": truth})
    assert exact.passed
    assert exact.error == 0
    wrong = truth.copy()
    wrong.reshape(-1)[5] *= 1.01
    judgement = performer.judge(task, {"output": wrong})
    assert not judgement.passed
    assert 1 < judgement.ratio < float("inf")
    assert performer.judge(task, {}).ratio == float("inf")


def test_requests_that_make_no_sense(task, build_dir):
    with examiner(build_dir, use_gpu=False) as one:
        with pytest.raises(ExaminerFault, match="no inputs have been opened"):
            one.judge(task, {})
        with pytest.raises(ExaminerFault, match="has none that is called gigantic"):
            one.open(task, Trial(replace(task.scales[0], name="gigantic"), False))


def test_a_wrong_oracle_is_told(task, performer, monkeypatch):
    def off(a_task):
        right = oracle(a_task)
        return lambda inputs, shape: {"output": right(inputs, shape)["output"] * (1 + 1e-4)}

    monkeypatch.setattr(reference, "oracle", off)
    _, wrong = reference.check_reference(task, performer, 1)
    assert len(wrong) == 2 * (1 + len(task.edges))
    assert wrong[0].startswith("reference and oracle differ at tiny, first seed, by ")


def test_a_bound_that_is_too_lax_is_told(task, build_dir, tmp_path):
    tasks = json.loads((build_dir / "cudabench_tasks" / "tasks.json").read_text())
    (one,) = (entry for entry in tasks["tasks"] if entry["name"] == TASK)
    one["outputs"][0]["check"] |= {"factor": 1e5, "rms_factor": 1e5}
    (tmp_path / "cudabench_tasks").mkdir()
    (tmp_path / "cudabench_tasks" / "tasks.json").write_text(json.dumps({"tasks": [one]}))
    (tmp_path / "cudabench_tasks" / "references").symlink_to(build_dir / "cudabench_tasks" / "references")
    (tmp_path / "bin").symlink_to(build_dir / "bin")
    with examiner(tmp_path, use_gpu=False) as lax:
        entries, wrong = check_null_models(task, lax, Argued(tmp_path), task.scales[0])
    assert not entries["results in fp16"]["refused"]
    assert entries["zeros"]["refused"]
    assert "the null model 'results in fp16' passes both seeds at tiny" in wrong


def test_honest_candidates_that_are_refused_are_told(moved, performer, build_dir):
    folder = moved.path.parents[2] / "checks" / moved.domain / moved.name
    folder.mkdir(parents=True)
    source = moved.reference_path.read_text()
    (folder / "right.cu").write_text(source)
    (folder / "wrong.cu").write_text(source.replace("/ sum)", "/ sum * 1.001)"))
    (folder / "broken.cu").write_text("no CUDA")
    with honest_kernels(moved, Bundles(build_dir)) as (kernels, uncompiled):
        found, refused = check_honest(moved, performer, kernels, 1)
        counted = count_work(moved, performer, kernels)
    assert found["error"]["softmax/right.cu"] == 0
    assert [line.split(": ")[0] for line in uncompiled] == ["the honest softmax/broken.cu does not compile"]
    assert [line.split(": ")[0] for line in refused] == ["the honest softmax/wrong.cu is refused"]
    rows, cols = moved.scales[0].dims
    assert counted["softmax/right.cu"]["unique_write_sectors"] == 4 * rows * cols / 32
    assert counted["reference in single precision"]["fp64"] < counted["softmax/right.cu"]["fp64"]


def test_variants_that_do_not_compile_are_left_out(task, performer, build_dir):
    source = task.reference_path.read_text()
    variants = {"good_one": source, "bad_one": source.replace("double sum = 0;", "double sum = nothing;")}
    with Bundles(build_dir).compiled(task, source, variants) as (module, names):
        assert names == ["good_one"]
        performer.open(task, Trial(task.edges[0], False))
        assert performer.perform(module, "cudabench_call_good_one").passed
        with pytest.raises(PerformanceFailure, match="stage contract"):
            performer.perform(module, "cudabench_call_bad_one")
    with pytest.raises(CompileError), Bundles(build_dir).compiled(task, "no CUDA", {"one": source}):
        pass
