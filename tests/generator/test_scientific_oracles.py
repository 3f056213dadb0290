"""Oracles of science against second computations that share no code with them."""

from itertools import product

import numpy as np
import pytest
import scipy.ndimage
from oracles import agree, oracle

DOMAIN = "scientific"
RNG = np.random.default_rng(9)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


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
    agree(oracle(DOMAIN, "jacobi_step_2d")({"input": grid}, {}, {}), output=expected)


def test_jacobi_poisson_2d():
    initial, source = normal(8, 11), normal(8, 11)
    expected = initial.astype(float)
    for _ in range(4):
        expected = stencil(expected, star(2, 0, 0.25), source.astype(float) / 4)
    agree(
        oracle(DOMAIN, "jacobi_poisson_2d")({"initial": initial, "source": source}, {}, {"sweeps": 4}), output=expected
    )


def test_heat_diffusion_3d():
    grid = normal(5, 6, 7)
    expected = grid.astype(float)
    for _ in range(3):
        expected = stencil(expected, star(3, 1 - 6 * 0.15, 0.15))
    agree(oracle(DOMAIN, "heat_diffusion_3d")({"input": grid}, {}, {"steps": 3, "alpha": 0.15}), output=expected)


@pytest.mark.parametrize("shape", [(3, 4, 9), (9, 9, 9), (11, 10, 13)])
def test_fdtd_3d(shape):
    grid, coefficients = normal(*shape), normal(5) / 10
    expected = grid.astype(float)
    for _ in range(3 if min(shape) > 8 else 0):
        expected = stencil(expected, star(3, *map(float, coefficients)))
    agree(oracle(DOMAIN, "fdtd_3d")({"input": grid, "coefficients": coefficients}, {}, {"steps": 3}), output=expected)


def test_lattice_boltzmann_d2q9():
    """Cell by cell."""
    height, width, omega = 4, 5, 1.5
    cx, cy = (0, 1, 0, -1, 0, 1, -1, -1, 1), (0, 0, 1, 0, -1, 1, 1, -1, -1)
    w = [4 / 9] + 4 * [1 / 9] + 4 * [1 / 36]
    start = RNG.uniform(0.05, 0.15, (9, height, width)).astype(np.float32)
    f = start.astype(float)
    for _ in range(3):
        moved = np.zeros_like(f)
        for y, x in np.ndindex(height, width):
            rho = f[:, y, x].sum()
            ux, uy = (sum(c * f[q, y, x] for q, c in enumerate(axis)) / rho for axis in (cx, cy))
            for q in range(9):
                cu = cx[q] * ux + cy[q] * uy
                equilibrium = w[q] * rho * (1 + 3 * cu + cu * cu / 2 * 9 - (ux * ux + uy * uy) / 2 * 3)
                moved[q, (y + cy[q]) % height, (x + cx[q]) % width] = (1 - omega) * f[q, y, x] + omega * equilibrium
        f = moved
    result = oracle(DOMAIN, "lattice_boltzmann_d2q9")({"input": start}, {}, {"steps": 3, "omega": omega})
    agree(result, output=f)
    assert result["output"].sum() == pytest.approx(start.sum(dtype=float))  # mass is conserved


def test_nbody_gravity():
    """As the gradient of the potential, by differences."""
    positions, masses, softening, h = normal(6, 3), RNG.uniform(1, 2, 6).astype(np.float32), 0.3, 1e-4

    def potential(body, place):
        others = np.delete(positions.astype(float), body, axis=0)
        return sum(np.delete(masses, body) / np.sqrt(((others - place) ** 2).sum(axis=1) + softening**2))

    expected = np.zeros((6, 3))
    for body, axis in product(range(6), range(3)):
        step = np.eye(3)[axis] * h
        place = positions[body].astype(float)
        expected[body, axis] = (potential(body, place + step) - potential(body, place - step)) / (2 * h)
    inputs = {"positions": positions, "masses": masses}
    agree(
        oracle(DOMAIN, "nbody_gravity")(inputs, {"N": 6}, {"softening": softening}),
        tolerance=1e-5,
        accelerations=expected,
    )


@pytest.mark.parametrize("side", [1, 2, 5])
def test_lennard_jones(side):
    """Pair by pair."""
    displacements = RNG.integers(-80, 81, (side, side, side, 3)).astype(np.float32)
    sites = list(np.ndindex(side, side, side))
    places = [1.125 * np.array(site) + displacements[site].astype(float) / 512 for site in sites]
    expected = np.zeros((side, side, side, 3))
    for (i, site), (j, _) in product(enumerate(sites), repeat=2):
        d = places[i] - places[j]
        r = np.sqrt(d @ d)
        if i != j and r < 2.5:
            expected[site] += 24 * (2 * r**-13 - r**-7) * d / r
    result = oracle(DOMAIN, "lennard_jones")({"displacements": displacements}, {"side": side}, {})
    agree(result, tolerance=1e-10, forces=expected)


def american_put(stock, strike, steps, up, weight_up, weight_down):
    """By recursion over the remaining levels."""
    exercise = strike - stock
    if steps == 0:
        return max(exercise, 0)
    rise, fall = (
        american_put(stock * factor, strike, steps - 1, up, weight_up, weight_down) for factor in (up, 1 / up)
    )
    return max(weight_up * rise + weight_down * fall, exercise)


@pytest.mark.parametrize("steps", [1, 2, 9])
def test_binomial_option(steps):
    stock, strike = (np.array(values, np.float32) for values in ([100, 100, 80, 120, 101], [100, 130, 120, 80, 99]))
    params = {"up": 1.1, "weight_up": 0.5, "weight_down": 0.45}
    expected = [american_put(float(s), float(x), steps, **params) for s, x in zip(stock, strike, strict=True)]
    inputs = {"stock_price": stock, "strike_price": strike}
    agree(oracle(DOMAIN, "binomial_option")(inputs, {"N": 5, "steps": steps}, params), put=expected)


def test_smith_waterman():
    A, B = (RNG.integers(0, 3, (7, length)).astype(np.uint8) for length in (9, 12))
    A[6], B[6] = 1, 2  # nothing matches
    expected = []
    for a, b in zip(A, B, strict=True):
        H = np.zeros((10, 13), int)
        for i, j in product(range(1, 10), range(1, 13)):
            s = 3 if a[i - 1] == b[j - 1] else -2
            H[i, j] = max(0, H[i - 1, j - 1] + s, H[i - 1, j] - 4, H[i, j - 1] - 4)
        expected.append(H.max())
    assert expected[6] == 0
    params = {"match": 3, "mismatch": -2, "gap": 4}
    agree(oracle(DOMAIN, "smith_waterman")({"A": A, "B": B}, {"pairs": 7, "m": 9, "n": 12}, params), scores=expected)
