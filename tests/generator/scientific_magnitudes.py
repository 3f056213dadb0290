"""What the references of science compute as magnitudes, in NumPy."""

import numpy as np
import scipy.spatial
from oracles import oracle


def over_absolute_values(name, **params):
    """Of a linear task whose weights are positive, or inputs."""
    return lambda inputs: oracle("scientific", name)(
        {key: np.abs(values) for key, values in inputs.items()}, {}, params
    )["output"]


def jacobi_step_2d(inputs):
    sizes = over_absolute_values("jacobi_step_2d")(inputs)
    sizes[[0, -1]] = sizes[:, [0, -1]] = 0
    return sizes


def lattice_boltzmann_d2q9(inputs):
    populations = oracle("scientific", "lattice_boltzmann_d2q9")(inputs, {}, {"steps": 4, "omega": 1.25})["output"]
    return np.broadcast_to(abs(populations).sum(axis=0), populations.shape)


def nbody_gravity(inputs):
    positions, masses = inputs["positions"].astype(float), inputs["masses"].astype(float)
    sizes = []
    for position in positions:
        away = positions - position
        shares = masses[:, None] * away / ((away**2).sum(axis=1, keepdims=True) + float(np.float32(0.02)) ** 2) ** 1.5
        sizes.append(abs(shares.sum(axis=0)) + np.linalg.norm(shares, axis=0))
    return np.array(sizes)


def lennard_jones(inputs):
    displacements = inputs["displacements"].astype(float)
    places = np.moveaxis(np.indices(displacements.shape[:3]), 0, -1) * 1.125 + displacements / 512
    places = places.reshape(-1, 3)
    sizes = np.zeros_like(places)
    tree = scipy.spatial.KDTree(places)
    for i, j in tree.query_pairs(2.5, output_type="ndarray"):
        d = abs(places[i] - places[j])
        squared = d @ d
        if squared < 6.25:
            share = 24 * (2 / squared**6 + 1 / squared**3) / squared * d
            sizes[i] += share
            sizes[j] += share
    return sizes.reshape(displacements.shape)


MAGNITUDES = {
    "jacobi_step_2d": jacobi_step_2d,
    "jacobi_poisson_2d": over_absolute_values("jacobi_poisson_2d", sweeps=10),
    "heat_diffusion_3d": over_absolute_values("heat_diffusion_3d", steps=5, alpha=float(np.float32(0.1))),
    "fdtd_3d": over_absolute_values("fdtd_3d", steps=3),
    "lattice_boltzmann_d2q9": lattice_boltzmann_d2q9,
    "nbody_gravity": nbody_gravity,
    "lennard_jones": lennard_jones,
    "binomial_option": lambda inputs: inputs["strike_price"].astype(float),
}
