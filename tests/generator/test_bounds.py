"""The tolerances in the task files lie between honest kernels and kernels of reduced precision.

Simulated in NumPy at sizes that are quick; numbers for all sizes stand beside the tolerances. Everything is in units
of u growth(terms) magnitude, as harness/case/task.h defines the bound.
"""

from pathlib import Path

import bound
import numpy as np
import pytest
from bound import U, growth, half

from generator.task import load_tasks

TASKS = load_tasks(Path(__file__).parents[2] / "tasks")
float32 = np.float32


def accepted(task, terms, result, truth, magnitude):
    return bound.accepted(TASKS[task].outputs[0].check, terms, result, truth, magnitude)


def in_sequence(a, b):
    """Row by row dot products with fused multiply-adds."""
    total = np.zeros(len(a), float32)
    for n in range(a.shape[1]):
        total = (a[:, n].astype(float) * b[:, n] + total).astype(float32)
    return total


def in_pairs(a, b):
    products = a * b
    while products.shape[1] > 1:
        if products.shape[1] % 2:
            products = np.concatenate([products, np.zeros((len(a), 1), float32)], axis=1)
        products = products[:, 0::2] + products[:, 1::2]
    return products[:, 0]


def truncated(values):
    rounded = values.astype(float32)
    beyond = np.abs(rounded.astype(float)) > np.abs(values)
    rounded[beyond] = np.nextafter(rounded[beyond], float32(0))
    return rounded


def on_tensor_cores(a, b, products):
    """Sums of tf32 products, eight at a step, truncated after each as the hardware does."""
    parts_of_a, parts_of_b = (half(a), half(a - half(a))), (half(b), half(b - half(b)))
    total = np.zeros(len(a), float32)
    for first in range(0, a.shape[1], 8):
        for i, j in products:
            step = parts_of_a[i][:, first : first + 8].astype(float) * parts_of_b[j][:, first : first + 8]
            total = truncated(step.sum(axis=1) + total.astype(float))
    return total


DRAWS = {
    "matrix_multiplication": (lambda r, s: r.standard_normal(s), lambda r, s: r.standard_normal(s)),
    "fir_filter": (lambda r, s: r.standard_normal(s) + 1, lambda r, s: r.standard_normal(s) / 4),
    "gaussian_blur": (lambda r, s: r.random(s), lambda r, s: r.random(s) / 10),
}


@pytest.mark.parametrize(
    ("task", "terms"),
    [(task, terms) for task in DRAWS for terms in (1, 2, 15, 64, 99)] + [("matrix_multiplication", 1536)],
)
def test_products(task, terms):
    random = np.random.default_rng(terms)
    a, b = (draw(random, (4000, terms)).astype(float32) for draw in DRAWS[task])
    products = a.astype(float) * b.astype(float)
    truth = products.sum(axis=1)
    if task == "matrix_multiplication":
        norms = [np.linalg.norm(x.astype(float), axis=1) for x in (a, b)]
        magnitude = norms[0] * norms[1] / np.sqrt(terms)
        assert accepted(task, terms, on_tensor_cores(a, b, ((1, 0), (0, 1), (0, 0))), truth, magnitude)
    else:
        magnitude = np.abs(products).sum(axis=1)
    assert accepted(task, terms, in_sequence(a, b), truth, magnitude)
    assert accepted(task, terms, in_pairs(a, b), truth, magnitude)
    assert not accepted(task, terms, on_tensor_cores(a, b, ((0, 0),)), truth, magnitude)
    assert not accepted(task, terms, in_sequence(half(a), b), truth, magnitude)
    assert not accepted(task, terms, in_sequence(a[:, :-1], b[:, :-1]), truth, magnitude)
    assert not accepted(task, terms, half(truth), truth, magnitude)


@pytest.mark.parametrize("N", [1, 257, 5000, 200000, 4000000])
def test_prefix_sum(N):
    random = np.random.default_rng(N)
    values = random.standard_normal(N).astype(float32)
    truth = np.cumsum(values, dtype=float)
    magnitude = np.sqrt(np.arange(1, N + 1) * np.cumsum(values.astype(float) ** 2))

    def blocks(size):
        padded = np.concatenate([values, np.zeros(-N % size, float32)]).reshape(-1, size)
        sums = np.cumsum(padded, axis=1, dtype=float32)
        sums[1:] += np.cumsum(sums[:, -1], dtype=float32)[:-1, None]
        return sums.ravel()[:N]

    assert accepted("prefix_sum", 1, np.cumsum(values, dtype=float32), truth, magnitude)
    assert accepted("prefix_sum", 1, blocks(32), truth, magnitude)
    assert accepted("prefix_sum", 1, blocks(1024), truth, magnitude)
    assert not accepted("prefix_sum", 1, np.cumsum(half(values), dtype=float), truth, magnitude)
    assert not accepted("prefix_sum", 1, half(truth), truth, magnitude)
    assert not accepted("prefix_sum", 1, np.zeros(N), truth, magnitude)


def sum_in_sequence(x):
    return np.cumsum(x, axis=1, dtype=float32)[:, -1:]


def sum_in_pairs(x):
    return in_pairs(x, np.ones_like(x))[:, None]


def running_moments(x):
    """Mean and variance by Welford's recurrence."""
    mean, squares = np.zeros((2, len(x), 1), float32)
    for i in range(x.shape[1]):
        distance = x[:, i : i + 1] - mean
        mean = mean + distance / float32(i + 1)
        squares = squares + distance * (x[:, i : i + 1] - mean)
    return mean, squares / float32(x.shape[1])


@pytest.mark.parametrize("C", [1, 2, 31, 257, 770, 4096])
@pytest.mark.parametrize("kind", ["values", "integers"])
def test_layer_norm(C, kind):
    random = np.random.default_rng(C)
    N = max(60, 40000 // C)
    if kind == "values":
        x = random.uniform(-1, 1, (N, 1)) + random.uniform(0.5, 2, (N, 1)) * random.standard_normal((N, C))
    else:
        x = random.uniform(0, 0.01, (N, C))
    x, weight, bias = (a.astype(float32) for a in (x, random.normal(1, 0.5, C), random.normal(0, 0.5, C)))
    eps = TASKS["layer_norm"].params[0].value

    def moments(x, summed):
        mean = summed(x) / float32(C)
        return mean, summed((x - mean) ** 2) / float32(C)

    def from_squares(x, summed):
        mean = summed(x) / float32(C)
        return mean, np.maximum(summed(x * x) / float32(C) - mean * mean, float32(0))

    def normalized(mean, variance):
        return (x - mean) * (float32(1) / np.sqrt(variance + float32(eps))) * weight + bias

    def scaled(mean, variance):
        factor = float32(1) / np.sqrt(variance + float32(eps)) * weight
        return x * factor + (bias - mean * factor)

    def exactly(x=x, weight=weight, bias=bias, eps=eps, values=C, freedom=C):
        x, some = x.astype(float), x[:, :values].astype(float)
        mean = some.mean(axis=1, keepdims=True)
        variance = ((some - mean) ** 2).sum(axis=1, keepdims=True) / freedom
        return (x - mean) / np.sqrt(variance + eps) * weight + bias

    truth = exactly()
    deviation = np.sqrt(x.astype(float).var(axis=1, keepdims=True) + eps)
    r = np.sqrt((x.astype(float) ** 2).mean(axis=1, keepdims=True)) / deviation
    z = np.abs(x - x.astype(float).mean(axis=1, keepdims=True)) / deviation
    magnitude = np.abs(weight) * (r + z * (1 + r * r)) + np.abs(bias)

    def passes(result):
        return accepted("layer_norm", C, result, truth, magnitude)

    for summed in (sum_in_sequence, sum_in_pairs):
        assert passes(normalized(*moments(x, summed)))
        assert passes(normalized(*from_squares(x, summed)))
        assert passes(scaled(*moments(x, summed)))
    assert passes(normalized(*running_moments(x)))
    assert not passes(half(truth))
    assert not passes(exactly(bias=half(bias)))
    if C > 1:  # the normalized value of one value is 0, whatever it is
        assert not passes(exactly(x=half(x)))
        assert not passes(exactly(weight=half(weight)))
        assert not passes(exactly(values=C - 1))
        assert not passes(exactly(freedom=C - 1))
    if C > 1 and kind == "integers":
        assert not passes(exactly(eps=0))
        assert not passes((x - x.astype(float).mean(axis=1, keepdims=True)) / (np.sqrt(deviation**2 - eps) + eps))


@pytest.mark.parametrize(("N", "levels"), [(62, 1), (1024, 10), (2056, 3), (4800, 5), (200192, 8)])
@pytest.mark.parametrize("kind", ["values", "integers"])
def test_haar_wavelet(N, levels, kind):
    random = np.random.default_rng(N)
    signal = np.linspace(0.9, 1, N) + 0.5 * random.standard_normal(N)
    if kind == "integers":
        signal = random.integers(-4095, 4096, N)
    signal = signal.astype(float32)

    def transformed(values, pair):
        details = []
        for _ in range(levels):
            values, detail = pair(values[0::2], values[1::2])
            details.insert(0, detail)
        return np.concatenate([values, *details])

    def by(factor):
        return lambda a, b: ((a + b) * factor, (a - b) * factor)

    def of_sums():
        sums = transformed(signal, lambda a, b: (a + b, a - b))
        return (sums * 2.0 ** (-of_level / 2)).astype(float32)

    of_level = np.concatenate([[levels] * (N >> levels), *([level] * (N >> level) for level in range(levels, 0, -1))])
    root = np.sqrt(0.5)
    truth = transformed(signal.astype(float), by(root))
    magnitude = of_level * transformed(np.abs(signal.astype(float)), lambda a, b: ((a + b) * root,) * 2)

    def passes(result):
        return accepted("haar_wavelet", 1, result, truth, magnitude)

    assert passes(transformed(signal, by(float32(root))))
    assert passes(transformed(signal, lambda a, b: ((a + b) / float32(2**0.5), (a - b) / float32(2**0.5))))
    assert passes(of_sums())
    assert not passes(transformed(signal.astype(float), by(0.70711)))
    assert not passes(transformed(half(signal).astype(float), by(root)))
    assert not passes(half(truth))


@pytest.mark.parametrize("cols", [1, 31, 257, 1000, 4096])
@pytest.mark.parametrize("kind", ["values", "integers"])
def test_softmax(cols, kind):
    random = np.random.default_rng(cols)
    shape = (60, cols)
    scores = (random.uniform(80, 120, shape) if kind == "integers" else 1.5 * random.standard_normal(shape)).astype(
        float32
    )
    distance = scores.max(axis=1, keepdims=True).astype(float) - scores
    truth = np.exp(-distance)
    truth /= truth.sum(axis=1, keepdims=True)
    magnitude = truth * (1 + (4 + 2.4 * distance) / growth(cols))

    def imprecise_exp(x):
        """As CUDA's __expf: the argument is rounded after its change to base 2, the result to two units."""
        power = np.exp2((x * float32(np.log2(np.e))).astype(float32).astype(float))
        return (power * (1 + random.uniform(-2, 2, x.shape) * U)).astype(float32)

    powers = imprecise_exp((scores - scores.max(axis=1, keepdims=True)).astype(float32))
    in_order = np.cumsum(powers, axis=1, dtype=float32)[:, -1:]
    largest, running = scores[:, 0].copy(), np.ones(len(scores), float32)
    for column in range(1, cols):
        larger = np.maximum(largest, scores[:, column])
        running = running * imprecise_exp(largest - larger) + imprecise_exp(scores[:, column] - larger)
        largest = larger
    assert accepted("softmax", cols, powers / in_order, truth, magnitude)
    assert accepted("softmax", cols, powers / running[:, None], truth, magnitude)
    if cols > 1:  # the softmax of one value is 1, however computed
        rounded = np.exp(half(scores) - half(scores).max(axis=1, keepdims=True).astype(float))
        assert not accepted("softmax", cols, rounded / rounded.sum(axis=1, keepdims=True), truth, magnitude)
        assert not accepted("softmax", cols, half(truth), truth, magnitude)
        if kind == "values":  # the last of values between 80 and 120 seldom matters
            shortened = truth / truth[:, :-1].sum(axis=1, keepdims=True)
            assert not accepted("softmax", cols, shortened, truth, magnitude)
