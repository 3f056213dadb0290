"""Oracles of science against second computations that share no code with them."""

import importlib.util
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import scipy.ndimage

ORACLES = Path(__file__).parents[2] / "references" / "oracles" / "scientific.py"
RNG = np.random.default_rng(9)


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


def stencil(grid, weights, added=0.0):
    """By SciPy's correlation where the stencil fits, unchanged elsewhere."""
    result = grid.copy()
    margin = weights.shape[0] // 2
    inside = tuple(slice(margin, extent - margin) for extent in grid.shape)
    result[inside] = (scipy.ndimage.correlate(grid, weights, mode="constant") + added)[inside]
    return result


def star(dimensions, centre, *distances):
    """Weights of the centre and of the points at distances along the axes."""
    radius = len(distances)
    weights = np.zeros((2 * radius + 1,) * dimensions)
    middle = (radius,) * dimensions
    weights[middle] = centre
    for axis, (r, weight), sign in product(range(dimensions), enumerate(distances, 1), (-1, 1)):
        place = list(middle)
        place[axis] += sign * r
        weights[tuple(place)] = weight
    return weights


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (3, 3), (9, 7)])
def test_jacobi_step_2d(shape):
    grid = normal(*shape)
    expected = stencil(grid.astype(float), star(2, 0, 0.25)) if min(shape) > 2 else grid
    agree(oracle("jacobi_step_2d")({"input": grid}, {}, {}), output=expected)


def test_jacobi_poisson_2d():
    initial, source = normal(8, 11), normal(8, 11)
    expected = initial.astype(float)
    for _ in range(4):
        expected = stencil(expected, star(2, 0, 0.25), source.astype(float) / 4)
    agree(oracle("jacobi_poisson_2d")({"initial": initial, "source": source}, {}, {"sweeps": 4}), output=expected)


def test_heat_diffusion_3d():
    grid = normal(5, 6, 7)
    expected = grid.astype(float)
    for _ in range(3):
        expected = stencil(expected, star(3, 1 - 6 * 0.15, 0.15))
    agree(oracle("heat_diffusion_3d")({"input": grid}, {}, {"steps": 3, "alpha": 0.15}), output=expected)


@pytest.mark.parametrize("shape", [(3, 4, 9), (9, 9, 9), (11, 10, 13)])
def test_fdtd_3d(shape):
    grid, coefficients = normal(*shape), normal(5) / 10
    expected = grid.astype(float)
    for _ in range(3 if min(shape) > 8 else 0):
        expected = stencil(expected, star(3, *map(float, coefficients)))
    agree(oracle("fdtd_3d")({"input": grid, "coefficients": coefficients}, {}, {"steps": 3}), output=expected)
