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
