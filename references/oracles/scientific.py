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
