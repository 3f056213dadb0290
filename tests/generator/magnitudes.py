"""What references compute as magnitudes, in NumPy."""

import inspect
from functools import partial
from pathlib import Path

import numpy as np
from bound import growth
from data_analysis_magnitudes import MAGNITUDES as DATA_ANALYSIS
from linear_algebra_magnitudes import MAGNITUDES as LINEAR_ALGEBRA
from oracles import oracle
from scientific_magnitudes import MAGNITUDES as SCIENTIFIC
from signal_processing_magnitudes import MAGNITUDES as SIGNAL_PROCESSING
from vision_magnitudes import MAGNITUDES as VISION

from generator.task import load_tasks

TASKS = load_tasks(Path(__file__).parents[2] / "tasks")


def absolute(inputs):
    return {name: np.abs(values) for name, values in inputs.items()}


def matrix_norms(inputs):
    A, B = (inputs[name].astype(float) for name in "AB")
    return np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=0)) / np.sqrt(A.shape[1])


def softmax_size(inputs):
    scores = inputs["input"].astype(float)
    distance = scores.max(axis=1, keepdims=True) - scores
    return oracle("deep_learning", "softmax")(inputs, {}, {})["output"] * (
        1 + (4 + 2.4 * distance) / growth(scores.shape[1])
    )


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
    "gaussian_blur": lambda inputs: oracle("vision", "gaussian_blur")(absolute(inputs), {}, {})["output"],
    "fir_filter": lambda inputs: oracle("signal_processing", "fir_filter")(absolute(inputs), {}, {})["output"],
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
    function = MAGNITUDES[task.name]
    return partial(function, dims=dims) if "dims" in inspect.signature(function).parameters else function
