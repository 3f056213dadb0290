"""What the references of linear algebra compute as magnitudes, in NumPy."""

import numpy as np


def doubles(inputs, *names):
    return (inputs[name].astype(float) for name in names)


def dot_product(inputs):
    products = np.multiply(*doubles(inputs, "A", "B"))
    return np.array([abs(products.sum()) + np.linalg.norm(products)])


MAGNITUDES = {
    "dot_product": dot_product,
}
