"""NumPy and SciPy statements of the tasks of science and finance, in double precision."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

Arrays = dict[str, np.ndarray]


def black_scholes(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    stock, strike, years = (inputs[name].astype(np.float64) for name in ("stock_price", "strike_price", "years"))
    rate, volatility = params["riskfree"], params["volatility"]
    deviation = volatility * np.sqrt(years)
    d1 = (np.log(stock / strike) + (rate + volatility**2 / 2) * years) / deviation
    d2 = d1 - deviation
    discounted = strike * np.exp(-rate * years)
    return {
        "call": stock * ndtr(d1) - discounted * ndtr(d2),
        "put": discounted * ndtr(-d2) - stock * ndtr(-d1),
    }


def _philox4x32(counter: list[np.ndarray], key: tuple[int, int]) -> list[np.ndarray]:
    """Ten rounds; words are 64-bit numbers below 2^32."""
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    a, b, c, d = counter
    for step in range(10):
        k0, k1 = ((word + step * weyl) % 2**32 for word, weyl in zip(key, (0x9E3779B9, 0xBB67AE85), strict=True))
        from_a, from_c = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
        a, b, c, d = (
            (from_c >> half) ^ b ^ np.uint64(k0),
            from_c & low,
            (from_a >> half) ^ d ^ np.uint64(k1),
            from_a & low,
        )
    return [a, b, c, d]


def monte_carlo_integration(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    key = tuple(int(word) for word in inputs["key"])
    samples = np.arange(dims["samples"], dtype=np.uint64)
    nothing = np.zeros_like(samples)
    hits = np.zeros(dims["integrals"])
    for integral in range(dims["integrals"]):
        words = _philox4x32([samples, nothing, np.full_like(samples, integral), nothing], key)
        distance = np.zeros_like(samples)
        for word, centre in zip(words, inputs["centres"][integral], strict=True):
            difference = (word >> np.uint64(1)).astype(np.int64) - int(centre)
            distance += (difference * difference).astype(np.uint64)
        hits[integral] = np.count_nonzero(distance <= np.uint64(int(inputs["radii"][integral]) ** 2))
    return {"hits": hits}


def _replace_inside(grid: np.ndarray, margin: int, values: np.ndarray) -> np.ndarray:
    """A copy of the grid with other values where no face is nearer than `margin`."""
    result = grid.copy()
    inside = tuple(slice(margin, max(extent - margin, margin)) for extent in grid.shape)
    result[inside] = values[inside]
    return result


def _neighbours(grid: np.ndarray, distance: int) -> np.ndarray:
    """The sum of the points at a distance along all axes; meaningless near the faces."""
    return sum(np.roll(grid, shift, axis) for axis in range(grid.ndim) for shift in (-distance, distance))


def jacobi_step_2d(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    grid = inputs["input"].astype(np.float64)
    return {"output": _replace_inside(grid, 1, _neighbours(grid, 1) / 4)}


def jacobi_poisson_2d(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    grid, source = (inputs[name].astype(np.float64) for name in ("initial", "source"))
    for _ in range(int(params["sweeps"])):
        grid = _replace_inside(grid, 1, (_neighbours(grid, 1) + source) / 4)
    return {"output": grid}


def heat_diffusion_3d(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    grid = inputs["input"].astype(np.float64)
    for _ in range(int(params["steps"])):
        grid = _replace_inside(grid, 1, grid + params["alpha"] * (_neighbours(grid, 1) - 6 * grid))
    return {"output": grid}


def fdtd_3d(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    grid, coefficients = (inputs[name].astype(np.float64) for name in ("input", "coefficients"))
    for _ in range(int(params["steps"])):
        shells = [coefficients[r] * _neighbours(grid, r) for r in range(1, 5)]
        grid = _replace_inside(grid, 4, coefficients[0] * grid + sum(shells))
    return {"output": grid}


def lattice_boltzmann_d2q9(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    velocities = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)])
    weights = np.array([4 / 9] + 4 * [1 / 9] + 4 * [1 / 36])
    f = inputs["input"].astype(np.float64)
    for _ in range(int(params["steps"])):
        density = f.sum(axis=0)
        u = np.tensordot(velocities.T, f, axes=1) / density
        along = np.tensordot(velocities, u, axes=1)
        equilibrium = 1 + 3 * along + 4.5 * along**2 - 1.5 * (u**2).sum(axis=0)
        f = f + params["omega"] * (weights[:, None, None] * density * equilibrium - f)
        f = np.stack([np.roll(f[q], (y, x), axis=(0, 1)) for q, (x, y) in enumerate(velocities)])
    return {"output": f}


def nbody_gravity(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    positions, masses = (inputs[name].astype(np.float64) for name in ("positions", "masses"))
    result = np.zeros_like(positions)
    for body, position in enumerate(positions):
        away = positions - position
        distance = np.sqrt((away**2).sum(axis=1) + params["softening"] ** 2)
        result[body] = (masses / distance**3) @ away
    return {"accelerations": result}


def lennard_jones(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """Over all pairs of a shifted and a resting copy of the crystal, three sites being beyond the cutoff."""
    displacements = inputs["displacements"].astype(np.float64)
    side = len(displacements)
    places = np.pad(
        np.moveaxis(np.indices((side,) * 3), 0, -1) * 1.125 + displacements / 512,
        3 * [(2, 2)] + [(0, 0)],
        constant_values=np.inf,
    )
    own = places[2 : side + 2, 2 : side + 2, 2 : side + 2]
    forces = np.zeros_like(own)
    for a, b, c in np.ndindex(5, 5, 5):
        if (a, b, c) == (2, 2, 2):
            continue
        d = own - places[a : a + side, b : b + side, c : c + side]
        squared = (d**2).sum(axis=-1, keepdims=True)
        near = squared < 6.25
        squared = np.where(near, squared, 1)
        forces += np.where(near, 24 * (2 / squared**6 - 1 / squared**3) / squared * np.where(near, d, 0), 0)
    return {"forces": forces}


def binomial_option(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    stock, strike = (inputs[name].astype(np.float64)[:, None] for name in ("stock_price", "strike_price"))
    values = np.zeros((len(stock), dims["steps"] + 2))  # a level beyond the leaves, where options are worth nothing
    for level in range(dims["steps"], -1, -1):
        exercise = strike - stock * params["up"] ** np.arange(-level, level + 1, 2.0)
        hold = params["weight_up"] * values[:, 1:] + params["weight_down"] * values[:, :-1]
        values = np.maximum(hold, exercise)
    return {"put": values[:, 0]}


def smith_waterman(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """Row by row: gaps along a row are a running maximum of scores to which the gaps up to there were added."""
    A, B = inputs["A"], inputs["B"]
    gaps = params["gap"] * np.arange(dims["n"] + 1)
    above = np.zeros((dims["pairs"], dims["n"] + 1))
    best = np.zeros(dims["pairs"])
    for letters in A.T:
        row = np.maximum(above - params["gap"], 0)
        matches = np.where(letters[:, None] == B, params["match"], params["mismatch"])
        row[:, 1:] = np.maximum(row[:, 1:], above[:, :-1] + matches)
        row[:, 0] = 0
        above = np.maximum.accumulate(row + gaps, axis=1) - gaps
        best = np.maximum(best, above.max(axis=1))
    return {"scores": best}
