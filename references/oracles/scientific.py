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
