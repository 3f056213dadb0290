"""Inputs of a task as its file describes them, drawn by NumPy."""

import numpy as np


def draw(random, distribution, extents, dtype):
    """Without drift, which only adds to the differences."""
    if distribution.kind == "uniform":
        values = random.uniform(distribution.a, distribution.b, extents)
    elif distribution.kind == "normal":
        values = random.normal(distribution.a, distribution.b, extents)
    else:
        values = random.integers(distribution.a, distribution.b + 1, extents)
    if distribution.kind == "ascending":
        values = np.sort(values)
        values[[0, -1]] = distribution.a, distribution.b
    if distribution.needle_probability:
        values = (
            np.where(random.random(extents) < distribution.needle_probability, distribution.needle_factor, 1) * values
        )
    return values.astype(dtype)
