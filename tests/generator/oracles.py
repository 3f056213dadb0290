"""Oracles by name, and their agreement with second computations."""

import importlib.util
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[2] / "references" / "oracles"


def oracle(domain, name):
    spec = importlib.util.spec_from_file_location(domain, FOLDER / f"{domain}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def agree(outputs, tolerance=1e-12, **expected):
    assert outputs.keys() == expected.keys()
    for name, values in outputs.items():
        assert values.dtype == np.float64
        assert values.shape == np.shape(expected[name])
        np.testing.assert_allclose(values, expected[name], rtol=tolerance, atol=tolerance)
