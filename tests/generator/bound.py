"""The bound of harness/case/task.h, in NumPy."""

import numpy as np

U = 2.0**-24


def growth(terms):
    return np.sqrt(min(terms, 4096)) + np.log2(terms)


def accepted(check, terms, result, truth, magnitude, whole_numbers=False):
    """Whether every element and the root mean square are within the bound of a float32 output, or equal if exact."""
    if check.kind == "exact":
        return np.array_equal(result.astype(float), truth.astype(float))
    truth = truth.astype(np.float32).astype(float)
    error = np.abs(result.astype(float) - truth)
    if whole_numbers and check.exact_on_integers:
        return bool(np.all(error == 0))
    smallest = np.finfo(np.float32).tiny
    unit = U * growth(terms) * magnitude
    within = np.all(error <= check.factor * unit + check.ulps * U * np.abs(truth) + smallest)
    return bool(within and np.sqrt(np.mean((error / (unit + smallest)) ** 2)) <= check.rms_factor)


def half(values):
    """Rounded to the 11 significant bits of fp16 and tf32."""
    fraction, exponent = np.frexp(values.astype(float))
    return np.ldexp(np.rint(fraction * 2**11) / 2**11, exponent).astype(np.float32)
