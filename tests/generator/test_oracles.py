"""Each oracle against a second computation that shares no code with it."""

import importlib.util
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal
import scipy.special
import scipy.stats

from generator.task import load_tasks

ROOT = Path(__file__).parents[2]
TASKS = load_tasks(ROOT / "tasks")
RNG = np.random.default_rng(20)


def oracle(name):
    path = TASKS[name].oracle_path
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def agree(result, expected, tolerance=1e-12):
    assert result.keys() == expected.keys()
    for name, values in result.items():
        assert values.dtype == np.float64
        np.testing.assert_allclose(values, expected[name], rtol=tolerance, atol=tolerance)


def test_matrix_multiplication():
    A, B = normal(3, 5), normal(5, 4)
    expected = np.zeros((3, 4))
    for i, j, n in product(range(3), range(4), range(5)):
        expected[i, j] += float(A[i, n]) * float(B[n, j])
    agree(oracle("matrix_multiplication")({"A": A, "B": B}, {"M": 3, "N": 5, "K": 4}, {}), {"C": expected})


def test_softmax():
    scores = normal(6, 9) * 40 + 100
    expected = scipy.special.softmax(scores.astype(np.float64), axis=1)
    agree(oracle("softmax")({"input": scores}, {"rows": 6, "cols": 9}, {}), {"output": expected})


@pytest.mark.parametrize("size", [(1, 1), (3, 5), (5, 1), (15, 21)])
def test_gaussian_blur(size):
    image, kernel = normal(12, 10), normal(*size)
    expected = scipy.ndimage.correlate(image.astype(np.float64), kernel.astype(np.float64), mode="constant", cval=0)
    agree(oracle("gaussian_blur")({"input": image, "kernel": kernel}, {}, {}), {"output": expected})


def test_prefix_sum():
    values = normal(100)
    expected = [sum(map(float, values[: i + 1])) for i in range(100)]
    agree(oracle("prefix_sum")({"input": values}, {"N": 100}, {}), {"output": np.array(expected)})


@pytest.mark.parametrize("num_taps", [1, 7, 80])
def test_fir_filter(num_taps):
    signal, taps = normal(50), normal(num_taps)
    expected = scipy.signal.lfilter(taps.astype(np.float64), [1.0], signal.astype(np.float64))
    agree(oracle("fir_filter")({"input": signal, "taps": taps}, {}, {}), {"output": expected})


def test_black_scholes():
    """The discounted expectation of the payoff, integrated numerically over the log-normal price."""
    stock, strike, years = (np.array(values, np.float32) for values in ([20, 30, 45], [25, 30, 20], [0.5, 2, 7]))
    params = {"riskfree": 0.02, "volatility": 0.3}
    result = oracle("black_scholes")({"stock_price": stock, "strike_price": strike, "years": years}, {"N": 3}, params)
    z = np.linspace(-12, 12, 200001)
    weights = scipy.stats.norm.pdf(z) * (z[1] - z[0])
    for i in range(3):
        S, X, T = float(stock[i]), float(strike[i]), float(years[i])
        price = S * np.exp((0.02 - 0.3**2 / 2) * T + 0.3 * np.sqrt(T) * z)
        discount = np.exp(-0.02 * T)
        assert result["call"][i] == pytest.approx(discount * np.sum(weights * np.maximum(price - X, 0)), rel=1e-6)
        assert result["put"][i] == pytest.approx(discount * np.sum(weights * np.maximum(X - price, 0)), rel=1e-6)
    parity = result["call"] - result["put"] - stock + strike * np.exp(-0.02 * years.astype(np.float64))
    np.testing.assert_allclose(parity, 0, atol=1e-6)


@pytest.mark.parametrize("name", TASKS)
def test_shapes_are_those_of_the_task(name):
    task = TASKS[name]
    for shape in task.edges:
        inputs = {
            i.name: normal(*extents) ** 2 + 1 for i, extents in zip(task.inputs, shape.input_extents, strict=True)
        }
        dims = dict(zip(task.dims, shape.dims, strict=True))
        result = oracle(name)(inputs, dims, {param.name: param.value for param in task.params})
        assert {n: values.shape for n, values in result.items()} == {
            o.name: extents for o, extents in zip(task.outputs, shape.output_extents, strict=True)
        }
