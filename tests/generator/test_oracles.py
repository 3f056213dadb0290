"""Each oracle against a second computation that shares no code with it."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal
import scipy.special
import scipy.stats
from drawn import draw
from oracles import agree, oracle

from generator.task import load_tasks

ROOT = Path(__file__).parents[2]
TASKS = load_tasks(ROOT / "tasks")
RNG = np.random.default_rng(20)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def test_matrix_multiplication():
    A, B = normal(3, 5), normal(5, 4)
    expected = np.zeros((3, 4))
    for i, j, n in product(range(3), range(4), range(5)):
        expected[i, j] += float(A[i, n]) * float(B[n, j])
    agree(oracle("linear_algebra", "matrix_multiplication")({"A": A, "B": B}, {"M": 3, "N": 5, "K": 4}, {}), C=expected)


def test_softmax():
    scores = normal(6, 9) * 40 + 100
    expected = scipy.special.softmax(scores.astype(np.float64), axis=1)
    agree(oracle("deep_learning", "softmax")({"input": scores}, {"rows": 6, "cols": 9}, {}), output=expected)


@pytest.mark.parametrize("size", [(1, 1), (3, 5), (5, 1), (15, 21)])
def test_gaussian_blur(size):
    image, kernel = normal(12, 10), normal(*size)
    expected = scipy.ndimage.correlate(image.astype(np.float64), kernel.astype(np.float64), mode="constant", cval=0)
    agree(oracle("vision", "gaussian_blur")({"input": image, "kernel": kernel}, {}, {}), output=expected)


def test_prefix_sum():
    values = normal(100)
    expected = [sum(map(float, values[: i + 1])) for i in range(100)]
    agree(oracle("data_analysis", "prefix_sum")({"input": values}, {"N": 100}, {}), output=np.array(expected))


@pytest.mark.parametrize("num_taps", [1, 7, 80])
def test_fir_filter(num_taps):
    signal, taps = normal(50), normal(num_taps)
    expected = scipy.signal.lfilter(taps.astype(np.float64), [1.0], signal.astype(np.float64))
    agree(oracle("signal_processing", "fir_filter")({"input": signal, "taps": taps}, {}, {}), output=expected)


def test_black_scholes():
    """The discounted expectation of the payoff, integrated numerically over the log-normal price."""
    stock, strike, years = (np.array(values, np.float32) for values in ([20, 30, 45], [25, 30, 20], [0.5, 2, 7]))
    params = {"riskfree": 0.02, "volatility": 0.3}
    result = oracle("scientific", "black_scholes")(
        {"stock_price": stock, "strike_price": strike, "years": years}, {"N": 3}, params
    )
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


def test_matrix_transpose():
    matrix = normal(3, 5)
    expected = np.array([[float(matrix[i, j]) for i in range(3)] for j in range(5)])
    agree(oracle("linear_algebra", "matrix_transpose")({"input": matrix}, {"rows": 3, "cols": 5}, {}), output=expected)


@pytest.mark.parametrize("C", [1, 2, 9])
def test_layer_norm(C):
    """In fractions, but for the root."""
    values, weight, bias = normal(4, C) * 3 + 1, normal(C), normal(C)
    eps = float(np.float32(1e-5))
    expected = np.zeros((4, C))
    for i in range(4):
        row = [Fraction(float(value)) for value in values[i]]
        mean = sum(row) / C
        deviation = float(sum((value - mean) ** 2 for value in row) / C + Fraction(eps)) ** 0.5
        for j in range(C):
            expected[i, j] = float(row[j] - mean) / deviation * float(weight[j]) + float(bias[j])
    inputs = {"input": values, "weight": weight, "bias": bias}
    agree(oracle("deep_learning", "layer_norm")(inputs, {"N": 4, "C": C}, {"eps": eps}), output=expected)


@pytest.mark.parametrize("largest", [2, 12, 1023])
def test_furthest_point_sample(largest):
    """Every choice from scratch: its distance to all points chosen before it."""
    clouds, B, N, K = RNG.integers(0, largest + 1, (2, 40, 3)), 2, 40, 30
    expected = np.zeros((B, K))
    for b in range(B):
        points = [tuple(map(int, point)) for point in clouds[b]]
        chosen = [0]
        while len(chosen) < K:
            distances = [
                min(sum((x - y) ** 2 for x, y in zip(point, points[c], strict=True)) for c in chosen)
                for point in points
            ]
            chosen.append(distances.index(max(distances)))
        expected[b] = chosen
    result = oracle("vision", "furthest_point_sample")(
        {"points": clouds.astype(np.float32)}, {"B": B, "N": N, "K": K}, {}
    )
    agree(result, indices=expected)


@pytest.mark.parametrize("largest", [3, 2**32 - 1])
def test_radix_sort(largest):
    keys = RNG.integers(0, largest + 1, 500).astype(np.uint32)
    expected = np.array(sorted(map(int, keys)), np.float64)
    agree(oracle("data_analysis", "radix_sort")({"input": keys}, {"N": 500}, {}), output=expected)


def haar_matrix(levels):
    """Rows as the output has them, for a signal of 2^levels values."""
    matrix = np.ones((1, 1))
    for level in range(levels):
        coarse = np.kron(matrix, [[1, 1]])
        matrix = np.concatenate([coarse, np.kron(np.eye(2**level), [[1, -1]])]) / 2**0.5
    return matrix


def test_haar_wavelet_by_matrix():
    signal = normal(64)
    matrix = haar_matrix(6)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(64), atol=1e-14)
    result = oracle("signal_processing", "haar_wavelet")({"input": signal}, {"N": 64, "levels": 6}, {})
    agree(result, output=matrix @ signal.astype(np.float64))


def test_haar_wavelet_by_hand():
    """Two levels of twelve values, which is no power of two."""
    signal = np.array([1, 2, 3, 5, 8, 4, 0, 6, 7, 7, 9, 1], np.float32)
    first_level = np.array([-1, -2, 4, -6, 0, 8]) / 2**0.5
    second_level = np.array([3 - 8, 12 - 6, 14 - 10]) / 2
    approximation = np.array([11, 18, 24]) / 2
    result = oracle("signal_processing", "haar_wavelet")({"input": signal}, {"N": 12, "levels": 2}, {})
    agree(result, output=np.concatenate([approximation, second_level, first_level]))


def philox_words(counter, key):
    """In Python's whole numbers, with the keys of all rounds listed first."""
    keys = [((key[0] + i * 0x9E3779B9) % 2**32, (key[1] + i * 0xBB67AE85) % 2**32) for i in range(10)]
    for k0, k1 in keys:
        left, right = divmod(counter[0] * 0xD2511F53, 2**32), divmod(counter[2] * 0xCD9E8D57, 2**32)
        counter = (right[0] ^ counter[1] ^ k0, right[1], left[0] ^ counter[3] ^ k1, left[1])
    return counter


def test_known_words():
    """Known answers of philox4x32-10 that the authors publish with Random123 (kat_vectors)."""
    assert philox_words((0,) * 4, (0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    pi = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0)
    assert philox_words(pi[:4], pi[4:]) == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


def test_monte_carlo_integration():
    integrals, samples = 5, 700
    centres = RNG.integers(0, 2**31, (integrals, 4)).astype(np.uint32)
    radii = np.array([2**31 - 1, 2**30, 1234567890, 1, 1999999999], np.uint32)
    key = np.array([0xFFFFFFFF, 0x9ABCDEF0], np.uint32)
    centres[3] = [word >> 1 for word in philox_words((17, 0, 3, 0), tuple(map(int, key)))]  # one sample hits its centre
    expected = np.zeros(integrals)
    for j, n in product(range(integrals), range(samples)):
        words = philox_words((n, 0, j, 0), tuple(map(int, key)))
        distance = sum((word // 2 - int(centre)) ** 2 for word, centre in zip(words, centres[j], strict=True))
        expected[j] += distance <= int(radii[j]) ** 2
    inputs = {"centres": centres, "radii": radii, "key": key}
    result = oracle("scientific", "monte_carlo_integration")(inputs, {"integrals": integrals, "samples": samples}, {})
    assert expected[3] == 1
    agree(result, hits=expected)


def test_monte_carlo_integration_converges():
    """A sixteenth of the ball of radius 1 about a corner lies in the cube: pi^2 / 32, as the whole of radius 1/2."""
    samples = 400000
    inputs = {
        "centres": np.array([[0] * 4, [2**30] * 4], np.uint32),
        "radii": np.array([2**31 - 1, 2**30], np.uint32),
        "key": np.array([1, 2], np.uint32),
    }
    hits = oracle("scientific", "monte_carlo_integration")(inputs, {"integrals": 2, "samples": samples}, {})["hits"]
    share = np.pi**2 / 32
    np.testing.assert_allclose(hits / samples, share, atol=5 * np.sqrt(share * (1 - share) / samples))


@pytest.mark.parametrize("name", TASKS)
def test_shapes_are_those_of_the_task(name):
    task = TASKS[name]
    for shape in task.edges:
        inputs = {
            i.name: draw(RNG, values, extents, i.dtype)
            for i, values, extents in zip(task.inputs, shape.input_values, shape.input_extents, strict=True)
        }
        dims = dict(zip(task.dims, shape.dims, strict=True))
        result = oracle(task.domain, name)(inputs, dims, {param.name: param.value for param in task.params})
        assert {n: values.shape for n, values in result.items()} == {
            o.name: extents for o, extents in zip(task.outputs, shape.output_extents, strict=True)
        }
