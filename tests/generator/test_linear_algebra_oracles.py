"""Each oracle of linear algebra against a second computation that shares no code with it."""

import importlib.util
import math
from fractions import Fraction
from pathlib import Path

import numpy as np

ORACLES = Path(__file__).parents[2] / "references" / "oracles" / "linear_algebra.py"
RNG = np.random.default_rng(7)


def oracle(name):
    spec = importlib.util.spec_from_file_location(ORACLES.stem, ORACLES)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def agree(outputs, tolerance=1e-12, **expected):
    assert outputs.keys() == expected.keys()
    for name, values in outputs.items():
        assert values.dtype == np.float64
        assert values.shape == np.shape(expected[name])
        np.testing.assert_allclose(values, expected[name], rtol=tolerance, atol=tolerance)


def rows(matrix):
    """As lists of Python's numbers."""
    return [list(map(float, row)) for row in matrix]


def test_matrix_copy():
    matrix = normal(5, 5)
    agree(oracle("matrix_copy")({"A": matrix}, {"N": 5}, {}), B=rows(matrix))


def test_dot_product():
    a, b = normal(50), normal(50)
    expected = sum(Fraction(x) * Fraction(y) for x, y in zip(map(float, a), map(float, b), strict=True))
    agree(oracle("dot_product")({"A": a, "B": b}, {"N": 50}, {}), result=[float(expected)])


def test_elementwise():
    a, b = normal(20), normal(20)
    pairs = list(zip(map(float, a), map(float, b), strict=True))
    agree(oracle("elementwise_addition")({"A": a, "B": b}, {"N": 20}, {}), C=[math.fsum(pair) for pair in pairs])
    agree(oracle("elementwise_multiplication")({"A": a, "B": b}, {"N": 20}, {}), C=[math.prod(pair) for pair in pairs])
