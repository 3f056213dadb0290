"""Answers that are no computation, or leave something out, are refused by at least one of the two seeds."""

import importlib.util
import inspect
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from bound import accepted, growth, half
from data_analysis_magnitudes import MAGNITUDES as DATA_ANALYSIS
from drawn import draw
from linear_algebra_magnitudes import MAGNITUDES as LINEAR_ALGEBRA
from scientific_magnitudes import MAGNITUDES as SCIENTIFIC
from signal_processing_magnitudes import MAGNITUDES as SIGNAL_PROCESSING
from vision_magnitudes import MAGNITUDES as VISION

from generator.task import load_tasks

TASKS = load_tasks(Path(__file__).parents[2] / "tasks")


def oracle(task):
    spec = importlib.util.spec_from_file_location(task.domain, task.oracle_path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, task.name)


def absolute(inputs):
    return {name: np.abs(values) for name, values in inputs.items()}


def matrix_norms(inputs):
    A, B = (inputs[name].astype(float) for name in "AB")
    return np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=0)) / np.sqrt(A.shape[1])


def softmax_size(inputs):
    scores = inputs["input"].astype(float)
    distance = scores.max(axis=1, keepdims=True) - scores
    return oracle(TASKS["softmax"])(inputs, {}, {})["output"] * (1 + (4 + 2.4 * distance) / growth(scores.shape[1]))


def layer_norm_size(inputs):
    values, weight, bias = (inputs[name].astype(float) for name in ("input", "weight", "bias"))
    deviation = np.sqrt(values.var(axis=1, keepdims=True) + TASKS["layer_norm"].params[0].value)
    r = np.sqrt((values**2).mean(axis=1, keepdims=True)) / deviation
    z = (values - values.mean(axis=1, keepdims=True)) / deviation
    return np.abs(weight) * (r + np.abs(z) * (1 + r * r)) + np.abs(bias)


def haar_size(inputs):
    sums, parts = np.abs(inputs["input"].astype(float)), []
    for level in range(1, HAAR_LEVELS[sums.size] + 1):
        sums = (sums[0::2] + sums[1::2]) / np.sqrt(2)
        parts.insert(0, level * sums)
    return np.concatenate([parts[0], *parts])


HAAR_LEVELS = {shape.dims[0]: shape.dims[1] for shape in TASKS["haar_wavelet"].scales}

MAGNITUDES = {  # of tasks with a bound
    "layer_norm": layer_norm_size,
    "haar_wavelet": haar_size,
    "matrix_multiplication": matrix_norms,
    "softmax": softmax_size,
    "gaussian_blur": lambda inputs: oracle(TASKS["gaussian_blur"])(absolute(inputs), {}, {})["output"],
    "fir_filter": lambda inputs: oracle(TASKS["fir_filter"])(absolute(inputs), {}, {})["output"],
    "prefix_sum": lambda inputs: np.sqrt(
        np.arange(1, inputs["input"].size + 1) * np.cumsum(inputs["input"].astype(float) ** 2)
    ),
    "black_scholes": lambda inputs: inputs["stock_price"].astype(float) + inputs["strike_price"],
    **LINEAR_ALGEBRA,
    **SCIENTIFIC,
    **DATA_ANALYSIS,
    **SIGNAL_PROCESSING,
    **VISION,
}


def magnitude_of(task, dims):
    """A function of the inputs. Those in MAGNITUDES may ask for the sizes too."""
    if task.name not in MAGNITUDES:
        pytest.fail(f"{task.name} has a bound: add to MAGNITUDES in {__file__} what its reference's magnitude computes")
    function = MAGNITUDES[task.name]
    return partial(function, dims=dims) if "dims" in inspect.signature(function).parameters else function


def ignored(task, inputs, dims, params, name):
    replaced = {**inputs, name: np.ones_like(inputs[name])}
    return oracle(task)(replaced, dims, params)


# Whole numbers that fit 11 bits are themselves in fp16: that is no null model of these.
SAME_IN_HALF = {
    ("ball_query", "results in fp16"),  # at these sizes
    ("ball_query", "inputs in fp16"),
    ("bloom_post_process", "results in fp16"),
    ("bloom_post_process", "inputs in fp16"),
    ("dynamic_voxelize", "results in fp16"),
    ("smith_waterman", "results in fp16"),  # at these sizes
    ("smith_waterman", "inputs in fp16"),
    ("lennard_jones", "inputs in fp16"),
    ("furthest_point_sample", "results in fp16"),  # at these sizes
    ("furthest_point_sample", "inputs in fp16"),
    ("furthest_point_sample_with_distance", "results in fp16"),  # at these sizes
    ("histogram", "results in fp16"),  # at these sizes
    ("histogram", "inputs in fp16"),
    ("k_nearest_neighbors", "results in fp16"),  # at these sizes
    ("k_nearest_neighbors", "inputs in fp16"),
    ("monte_carlo_integration", "results in fp16"),  # at these sizes
    ("nearest_neighbor", "results in fp16"),  # at these sizes
    ("nearest_neighbor", "inputs in fp16"),
    ("stereo_disparity", "results in fp16"),
    ("stereo_disparity", "inputs in fp16"),
    ("three_nearest_neighbors", "inputs in fp16"),
}


INDICES = {"sparse_matrix_vector": {"columns", "row_offsets"}}  # others in their place are no input


RIGHT = {("matrix_copy", "input copied")}  # these are the answer, not null models


def in_half(values):
    """In the values' own dtype: whole numbers stay whole."""
    rounded = half(values).astype(float)
    if values.dtype.kind in "iu":
        rounded = np.clip(rounded, np.iinfo(values.dtype).min, np.iinfo(values.dtype).max)
    return rounded.astype(values.dtype)


def null_models(task, inputs, another, dims, params, truth):
    """Name and answer, output by output."""
    first = next(iter(inputs.values()))
    replaced = inputs.keys() - INDICES.get(task.name, set())
    yield "zeros", {name: np.zeros_like(values) for name, values in truth.items()}
    yield "NaN", {name: np.full_like(values, np.nan) for name, values in truth.items()}
    if any(values.size > 1 for values in truth.values()):  # the mean of one value is that value
        yield "mean", {name: np.full_like(values, values.mean()) for name, values in truth.items()}
    if (task.name, "input copied") not in RIGHT:
        yield "input copied", {name: np.resize(first, values.shape) for name, values in truth.items()}
    yield "another seed", oracle(task)(another, dims, params)
    if (task.name, "results in fp16") not in SAME_IN_HALF:
        yield "results in fp16", {name: half(values) for name, values in truth.items()}
    if (task.name, "inputs in fp16") not in SAME_IN_HALF:
        halves = {name: in_half(values) if name in replaced else values for name, values in inputs.items()}
        yield "inputs in fp16", oracle(task)(halves, dims, params)
    for part, keep in (("first half", 0.5), ("all but the last element", 1)):
        shortened = {name: values.copy() for name, values in truth.items()}
        for values in shortened.values():
            values.reshape(-1)[min(int(values.size * keep), values.size - 1) :] = 0
        yield part, shortened
    if len(inputs) > 1:
        for name in replaced:
            yield f"{name} ignored", ignored(task, inputs, dims, params, name)


def test_a_task_without_magnitude_is_told_where_to_add_it(monkeypatch):
    monkeypatch.delitem(MAGNITUDES, "softmax")
    with pytest.raises(pytest.fail.Exception, match=r"softmax has a bound: add to MAGNITUDES in .*\.py"):
        magnitude_of(TASKS["softmax"], {})


@pytest.mark.parametrize("scale", [0, 1], ids=["tiny", "small"])
@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_null_models_are_refused(task, scale):
    shape = task.scales[scale]
    dims = dict(zip(task.dims, shape.dims, strict=True))
    params = {param.name: param.value for param in task.params}
    survived = {}
    for seed, (which, drawn) in enumerate((("values", shape.input_values), ("integers", shape.input_integers))):
        random = np.random.default_rng(seed)
        inputs, another = (
            {
                array.name: draw(random, distribution, extents, array.dtype)
                for array, distribution, extents in zip(task.inputs, drawn, shape.input_extents, strict=True)
            }
            for _ in range(2)
        )
        truth = oracle(task)(inputs, dims, params)
        magnitude = magnitude_of(task, dims)(inputs) if task.bounded else None

        def passes(answer, truth=truth, magnitude=magnitude, whole_numbers=which == "integers"):
            return all(
                accepted(o.check, terms, answer[o.name], truth[o.name], magnitude, whole_numbers)
                for o, terms in zip(task.outputs, shape.output_terms, strict=True)
            )

        assert passes(truth)
        for name, answer in null_models(task, inputs, another, dims, params, truth):
            survived[name] = survived.get(name, True) and passes(answer)
    assert [name for name, passed in survived.items() if passed] == []
