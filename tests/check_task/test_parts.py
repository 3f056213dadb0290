"""Null models, sizes, prompts, reasons, honest variants: each against a task that is spoilt in one place."""

from dataclasses import replace

import numpy as np
import pytest

from check_task.argued import Argued, ArguedError, read_argued
from check_task.examiner import Opened, Trial, as_dtype
from check_task.honest import single_precision, sources
from check_task.null_models import null_models
from check_task.prompts import check_prompts
from check_task.result import Result, differences, write
from check_task.sizes import check_sizes
from check_task.work import check_work
from generator.definition import Prompt
from generator.devices import DEVICES, attainable_seconds, limit


@pytest.fixture
def softmax(tasks):
    return tasks["softmax"]


@pytest.fixture
def moved(softmax, tmp_path):
    """softmax in a task set of its own."""
    path = tmp_path / "tasks" / "deep_learning" / "softmax.toml"
    for old, new in (
        (softmax.path, path),
        (softmax.reference_path, tmp_path / "references" / "deep_learning" / "softmax.cu"),
        (softmax.oracle_path, tmp_path / "references" / "oracles" / "deep_learning.py"),
    ):
        new.parent.mkdir(parents=True)
        new.write_bytes(old.read_bytes())
    return replace(softmax, path=path)


def test_null_models_are_what_they_are_called(softmax):
    shape = softmax.scales[0]
    random = np.random.default_rng(1)
    inputs = {"input": random.normal(size=shape.input_extents[0]).astype(np.float32)}
    expected = {"output": random.random(shape.output_extents[0], np.float32)}
    another = {"output": random.random(shape.output_extents[0], np.float32)}
    opened = Opened(Trial(shape, False), inputs, expected)
    edge = Opened(Trial(softmax.edges[-1], False), inputs, {"output": np.ones((33, 257), np.float32)})
    models = dict(null_models(softmax, opened, replace(opened, expected=another), edge))
    assert models["nothing written"] == {}
    assert not models["zeros"]["output"].any()
    assert np.isnan(models["NaN"]["output"]).all()
    assert np.allclose(models["mean"]["output"], expected["output"].mean())
    assert np.array_equal(models["input copied"]["output"], inputs["input"])
    assert np.array_equal(models["another seed"]["output"], another["output"])
    half = models["first half"]["output"].reshape(-1)
    assert half[: half.size // 2].all()
    assert not half[half.size // 2 :].any()
    assert np.count_nonzero(models["all but the last element"]["output"] != expected["output"]) == 1
    assert not models["all but the last row"]["output"][-1].any()
    assert np.array_equal(models["results in fp16"]["output"], expected["output"].astype(np.float16).astype(np.float32))
    assert models["input taken as ones"]["output"] == pytest.approx(1 / shape.dims[1])


def test_whole_numbers_stay_within_their_type():
    values = np.array([-1.0, 0.4, 2.0**40, np.nan, np.inf])
    assert as_dtype(values, "uint32").tolist() == [0, 0, 2**32 - 1, 0, 2**32 - 1]
    assert as_dtype(values, "int64")[4] > 2**62


def test_sizes(softmax):
    assert check_sizes(softmax)[1] == []
    small = replace(softmax, scales=(*softmax.scales[:4], softmax.scales[3]))
    assert [line.split(" ")[0] for line in check_sizes(small)[1]] == ["huge"]
    large = replace(softmax, scales=(softmax.scales[1], *softmax.scales[1:]))
    assert [line.split(" ")[0] for line in check_sizes(large)[1]] == ["tiny"]
    no_single = replace(softmax, edges=tuple(edge for edge in softmax.edges if 1 not in edge.dims))
    assert check_sizes(no_single)[1] == ["no edge has a size of 1"]


def test_prompts(softmax):
    assert check_prompts(softmax) == []
    levels = dict(softmax.prompt.levels) | {1: "Too short."}
    wrong = check_prompts(replace(softmax, prompt=Prompt(levels, softmax.prompt.rules)))
    assert wrong[0] == "prompt.level1 has 10 characters; fewer than 200 say too little"
    assert any("levels say less and less" in line for line in wrong)


def test_reasons(moved):
    assert read_argued(moved).null_model("zeros") is None
    path = moved.path.parents[2] / "checks" / "deep_learning" / "softmax.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[mutants]\n"barrier 1" = "why"\n"barrier 2" = "why not"\n')
    argued = read_argued(moved)
    assert argued.mutant("barrier 1") == "why"
    assert argued.unused() == [f"{path}: mutants.'barrier 2' is argued, but need not be, or there is none"]
    path.write_text('[mutants]\n"barrier 1" = ""\n')
    with pytest.raises(ArguedError, match="must be a text that says why"):
        read_argued(moved)
    path.write_text("[mutant]\n")
    with pytest.raises(ArguedError, match="mutant: is unknown"):
        read_argued(moved)
    assert Argued(path).unused() == []


def test_single_precision():
    source = "double f(double x) { return x * 2.0 + 1e-3; } // double\nvoid solve(float* a) { f(1); }"
    assert single_precision(source) == source.replace("double f(double x)", "float f(float x)").replace(
        "2.0 + 1e-3", "2.0f + 1e-3f"
    )
    assert single_precision("void solve(double* a) { double b = 1; }") is None
    assert single_precision("void solve(float* a) { float b = 1; }") is None


def test_honest_sources(softmax, moved):
    assert set(sources(softmax)) == {"naive/softmax.cu", "good/softmax.cu"}
    folder = moved.path.parents[2] / "checks" / "deep_learning" / "softmax"
    folder.mkdir(parents=True)
    (folder / "online.cu").write_text("")
    assert set(sources(moved)) == {"softmax/online.cu"}


def test_what_differs_from_what_is_on_file(moved):
    parts = {
        "reference": {"seeds": 3, "error": {"tiny": 0.1}},
        "null_models": {"zeros": {"refused": True, "error": "infinite"}},
        "mutants": [{"name": "barrier 1", "refused": "tiny, first seed: values"}],
    }
    on_file = Result(moved, "0", parts)
    assert differences(on_file) == [f"{on_file.path}: is missing; --update writes it"]
    write(on_file)
    assert differences(on_file) == []
    assert "of an earlier state" in differences(Result(moved, "1", parts))[0]
    now = Result(moved, "0", {"reference": {"seeds": 1, "error": {"tiny": 0.5}}})
    assert differences(now) == [f"{on_file.path}: reference: tiny: the error is 0.5, on file 0.1"]
    now = Result(moved, "0", {"null_models": {"zeros": {"refused": False, "error": 0.5}}})
    assert differences(now) == [f"{on_file.path}: null_models: zeros: refused is False, on file True"]
    now = Result(moved, "0", {"mutants": [{"name": "barrier 1", "refused": None}]})
    assert "barrier 1: is accepted, on file refused" in differences(now)[0]


def test_peaks_of_devices():
    """Of the makers' data sheets: TFLOP/s of fp32, and GB/s."""
    for device, teraflops, gigabytes in zip(DEVICES, (66.9, 37.4, 82.6), (4917, 696, 1008), strict=True):
        assert device.fp32 == pytest.approx(teraflops * 1e12, rel=2e-3), device.name
        assert device.bandwidth == pytest.approx(gigabytes * 1e9, rel=2e-3), device.name


def test_side_of_the_roofline(tasks):
    huge = tasks["matrix_multiplication"].scales[-1].model
    assert limit(huge, DEVICES[0]) == "fp32"
    assert attainable_seconds(huge, DEVICES[0]) == pytest.approx(2 * 10752 * 10624 * 10688 / 66.9e12, rel=1e-3)
    assert limit(tasks["matrix_transpose"].scales[-1].model, DEVICES[0]) == "bandwidth"


def test_work(softmax, tmp_path):
    """Rows and columns of tiny: 36 and 128."""
    elements = 36 * 128
    counts = dict.fromkeys(("fp32", "fp64", "tensor_tf32", "tensor_half", "tensor_fp64", "sfu"), 0)
    counts |= {"fp32": 4 * elements, "sfu": elements, "unique_read_sectors": elements // 8}
    counts |= {"unique_write_sectors": elements // 8}
    far = counts | {"fp32": 40 * elements}
    entries, wrong = check_work(softmax, {"far": far, "near": counts}, Argued(tmp_path))
    assert wrong == []
    assert entries["fp32"] == {"model": 4 * elements, "counted": 4 * elements, "of": "near"}
    assert entries["read_bytes"]["counted"] == 4 * elements
    assert set(entries) == {"fp32", "sfu", "read_bytes", "write_bytes"}
    _, wrong = check_work(softmax, {"far": far}, Argued(tmp_path))
    assert wrong == ["work.model.fp32 is 18432 at tiny; the nearest honest kernel, far, has 184320"]
    entries, wrong = check_work(softmax, {"far": far}, Argued(tmp_path, work={"fp32": "why"}))
    assert wrong == []
    assert entries["fp32"]["because"] == "why"
