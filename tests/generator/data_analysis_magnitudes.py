"""What the references of data analysis compute as magnitudes, in NumPy."""

import numpy as np


def root_of_size_and_squares(groups, values, extent):
    """sqrt(n * the sum of n squares) of each group, whose numbers `groups` holds; then zeros."""
    squares = np.bincount(groups, weights=values.astype(float) ** 2, minlength=extent)
    return np.sqrt(np.bincount(groups, minlength=extent) * squares)


def reduction(inputs):
    values = inputs["input"].astype(float)
    return np.array([np.sqrt(values.size) * np.linalg.norm(values)])


def segmented_sum(inputs):
    heads = inputs["heads"] != 0
    heads[0] = True
    return root_of_size_and_squares(np.cumsum(heads) - 1, inputs["values"], heads.size)


def group_by_sum(inputs):
    _, groups = np.unique(inputs["keys"], return_inverse=True)
    return root_of_size_and_squares(groups, inputs["values"], 8000)


MAGNITUDES = {"reduction": reduction, "segmented_sum": segmented_sum, "group_by_sum": group_by_sum}
