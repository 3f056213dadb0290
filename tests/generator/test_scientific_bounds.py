"""Tolerances of science lie between honest kernels and those of reduced precision, simulated at quick sizes.

Numbers for more sizes stand beside the tolerances in the task files.
"""

from pathlib import Path

import bound
import numpy as np
import pytest
import scientific_magnitudes
from bound import half
from oracles import oracle

from generator.task import load_task

TASKS = Path(__file__).parents[2] / "tasks" / "scientific"
float32 = np.float32


def judged(name, inputs, dims, params):
    """Whether a result is accepted, what is right, and the same with one input in fp16."""
    task = load_task(TASKS / f"{name}.toml")
    output = task.outputs[0]
    magnitude = scientific_magnitudes.MAGNITUDES[name](inputs)
    terms = dims.get("N", 1) if output.check.terms == "N" else output.check.terms

    def exactly(**rounded):
        return oracle("scientific", name)(inputs | rounded, dims, params)[output.name]

    truth = exactly()
    return lambda result: bound.accepted(output.check, terms, result, truth, magnitude), exactly


def refused_in_half(passes, exactly, inputs):
    assert not passes(half(exactly()))
    for name, values in inputs.items():
        assert not passes(exactly(**{name: half(values)})), name


@pytest.mark.parametrize("mean", [0, 0.9])
@pytest.mark.parametrize("order", ["in a row", "in pairs"])
def test_jacobi_poisson_2d(mean, order):
    random = np.random.default_rng(1)
    inputs = {name: (mean + random.standard_normal((80, 90))).astype(float32) for name in ("initial", "source")}
    u, source = inputs["initial"].copy(), inputs["source"][1:-1, 1:-1]
    for _ in range(10):
        up, down, left, right = u[:-2, 1:-1], u[2:, 1:-1], u[1:-1, :-2], u[1:-1, 2:]
        total = up + down + left + right + source if order == "in a row" else (up + down) + (left + right) + source
        u[1:-1, 1:-1] = float32(0.25) * total
    passes, exactly = judged("jacobi_poisson_2d", inputs, {}, {"sweeps": 10})
    assert passes(u)
    refused_in_half(passes, exactly, inputs)


@pytest.mark.parametrize("form", ["growth", "weights"])
def test_heat_diffusion_3d(form):
    inputs = {"input": (0.9 + np.random.default_rng(2).standard_normal((20, 22, 24))).astype(float32)}
    u, alpha = inputs["input"].copy(), float32(0.1)
    inside = (slice(1, -1),) * 3
    for _ in range(5):
        total = sum(np.roll(u, shift, axis)[inside] for axis in range(3) for shift in (-1, 1))
        centre = u[inside]
        if form == "growth":
            u[inside] = centre + alpha * (total - float32(6) * centre)
        else:
            u[inside] = (float32(1) - float32(6) * alpha) * centre + alpha * total
    passes, exactly = judged("heat_diffusion_3d", inputs, {}, {"steps": 5, "alpha": float(alpha)})
    assert passes(u)
    refused_in_half(passes, exactly, inputs)


def test_lattice_boltzmann_d2q9():
    f = np.random.default_rng(3).uniform(0.05, 0.15, (9, 40, 44)).astype(float32)
    inputs, omega = {"input": f}, float32(1.25)
    velocities = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)], float32)
    weights = np.array([4 / 9] + 4 * [1 / 9] + 4 * [1 / 36], float32)
    for _ in range(4):
        density = np.add.accumulate(f)[-1]
        ux, uy = (np.add.accumulate(f * c[:, None, None])[-1] * (1 / density) for c in velocities.T)
        moved = []
        for q, (cx, cy) in enumerate(velocities):
            c = cx * ux + cy * uy
            e = weights[q] * density * (1 + 3 * c + float32(4.5) * c * c - float32(1.5) * (ux * ux + uy * uy))
            moved.append(np.roll((1 - omega) * f[q] + omega * e, (int(cy), int(cx)), axis=(0, 1)))
        f = np.stack(moved)
    passes, exactly = judged("lattice_boltzmann_d2q9", inputs, {}, {"steps": 4, "omega": 1.25})
    assert f.dtype == float32
    assert passes(f)
    refused_in_half(passes, exactly, inputs)


def test_nbody_gravity():
    random, N = np.random.default_rng(4), 1500
    inputs = {
        "positions": random.uniform(-1, 1, (N, 3)).astype(float32),
        "masses": (random.uniform(0.1, 1, N) * np.where(random.random(N) < 0.01, 50, 1)).astype(float32),
    }
    softening = float32(0.02)
    in_sequence = []
    for position in inputs["positions"]:
        away = inputs["positions"] - position
        inverse = 1 / np.sqrt((away * away).sum(axis=1) + softening * softening)
        shares = (inputs["masses"] * inverse * inverse * inverse)[:, None] * away
        in_sequence.append(np.cumsum(shares, axis=0, dtype=float32)[-1])
    passes, exactly = judged("nbody_gravity", inputs, {"N": N}, {"softening": float(softening)})
    assert passes(np.array(in_sequence))
    refused_in_half(passes, exactly, inputs)


@pytest.mark.parametrize("largest", [80, 3])
def test_lennard_jones(largest):
    side = 6
    displacements = np.random.default_rng(5).integers(-largest, largest + 1, (side, side, side, 3)).astype(float32)
    places = (np.moveaxis(np.indices((side,) * 3), 0, -1) * float32(1.125) + displacements / float32(512)).astype(
        float32
    )
    forces = np.zeros_like(places)
    for site in np.ndindex(side, side, side):
        d = (places[site] - places).reshape(-1, 3)
        squared = (d * d).sum(axis=1)
        near = (squared < 6.25) & (squared > 0)
        inverse = 1 / squared[near]
        sixth = inverse * inverse * inverse
        shares = ((48 * sixth - 24) * sixth * inverse)[:, None] * d[near]
        forces[site] = np.cumsum(shares, axis=0, dtype=float32)[-1]
    passes, exactly = judged("lennard_jones", {"displacements": displacements}, {"side": side}, {})
    assert passes(forces)
    assert not passes(half(exactly()))


@pytest.mark.parametrize("steps", [1, 31, 400])
def test_binomial_option(steps):
    random = np.random.default_rng(6)
    inputs = {name: random.uniform(60, 140, 100).astype(float32) for name in ("stock_price", "strike_price")}
    up, rise, fall = (float32(value) for value in (1.01, 0.50248754, 0.49741247))
    stock, strike = (values[:, None] for values in inputs.values())
    powers = np.ones(2 * steps + 1, float32)  # one by one
    for k in range(1, steps + 1):
        powers[steps + k], powers[steps - k] = powers[steps + k - 1] * up, powers[steps - k + 1] / up
    values = np.zeros((100, steps + 2), float32)
    for level in range(steps, -1, -1):
        exercise = strike - stock * powers[steps - level : steps + level + 1 : 2]
        values = np.maximum(rise * values[:, 1:] + fall * values[:, :-1], exercise)
    params = {"up": float(up), "weight_up": float(rise), "weight_down": float(fall)}
    passes, exactly = judged("binomial_option", inputs, {"N": 100, "steps": steps}, params)
    assert values.dtype == float32
    assert passes(values[:, 0])
    refused_in_half(passes, exactly, inputs)
