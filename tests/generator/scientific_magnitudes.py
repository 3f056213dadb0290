"""What the references of science compute as magnitudes, in NumPy."""

import importlib.util
from pathlib import Path

import numpy as np

ORACLES = Path(__file__).parents[2] / "references" / "oracles" / "scientific.py"


def over_absolute_values(name, output="output", **params):
    """A linear task with weights that are positive, or inputs."""

    def magnitude(inputs):
        spec = importlib.util.spec_from_file_location(ORACLES.stem, ORACLES)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, name)({key: np.abs(values) for key, values in inputs.items()}, {}, params)[output]

    return magnitude


def jacobi_step_2d(inputs):
    sizes = over_absolute_values("jacobi_step_2d")(inputs)
    sizes[[0, -1]] = sizes[:, [0, -1]] = 0
    return sizes


MAGNITUDES = {
    "jacobi_step_2d": jacobi_step_2d,
    "jacobi_poisson_2d": over_absolute_values("jacobi_poisson_2d", sweeps=10),
    "heat_diffusion_3d": over_absolute_values("heat_diffusion_3d", steps=5, alpha=float(np.float32(0.1))),
    "fdtd_3d": over_absolute_values("fdtd_3d", steps=3),
}
