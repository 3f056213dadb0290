"""Textures and surfaces of every kind, by the GPU and by the CPU executor, at 10,000 points each.

compare.py PERFORM_CALL IMAGES [--on-cpu]: the program of tests/device/recipes, and images.cu of the tests of the CPU
executor as a candidate. What is not filtered must be equal. Filters of a GPU weigh with 8 bits of fraction, so that a
value may be off by one such step of what is filtered, along each axis. Prints a line a kind. Exit codes: 0 all within,
1 not, 77 no GPU. --on-cpu compares the CPU executor with itself, to try this without a GPU.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

POINTS = 10_240
AT_ONCE = 8
MODES = {"wrap": 0, "clamp": 1, "mirror": 2, "border": 3}
STEP = 2.0**-8
NEAR = 2.0**-8  # elements: so near to where two of them meet a GPU may take the other one


@dataclass(frozen=True)
class Kind:
    name: str
    function: str
    dims: tuple[int, ...]
    inputs: tuple[np.ndarray, ...]
    output: np.dtype
    outputs: int = POINTS  # of them
    params: tuple[float, ...] = ()
    step: float = 0.0  # by which a value may be off
    ambiguous: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))  # by point: two elements meet there


def textures() -> Iterator[Kind]:
    rng = np.random.default_rng(20)
    shapes = {"1D": (37, 0, 0, 0), "2D": (19, 13, 0, 0), "3D": (9, 7, 5, 0),
              "1D layered": (37, 0, 4, 1), "2D layered": (19, 13, 4, 1)}  # fmt: skip
    for (shape, size), (mode, number), linear, normalized in itertools.product(
        shapes.items(), MODES.items(), (0, 1), (0, 1)
    ):
        if mode in ("wrap", "mirror") and not normalized:
            continue  # means clamp
        name = f"{shape}, {mode}, {'linear' if linear else 'point'}{', normalized' if normalized else ''}"
        axes = 1 if size[1] == 0 else 2 if size[3] or size[2] == 0 else 3
        elements = rng.uniform(-1, 1, max(1, size[1]) * max(1, size[2]) * size[0]).astype("f4")
        yield texture(name, "floats", size, axes, elements, rng, number, linear, normalized)
    plane = (19, 13, 0, 0)
    for (mode, number), linear in itertools.product(MODES.items(), (0, 1)):
        rest = (rng, number, linear, 1)
        how = f"{mode}, {'linear' if linear else 'point'}"
        count = plane[0] * plane[1]
        yield texture(f"bytes as fractions, {how}", "fractions", plane, 2, rng.integers(0, 256, 4 * count, "u1"), *rest)
        shorts = rng.integers(-32768, 32768, 2 * count, "i2")
        yield texture(f"shorts as fractions, {how}", "signed_fractions", plane, 2, shorts, *rest)
        halves = rng.uniform(-1, 1, count).astype("f2")
        yield texture(f"halves, {how}", "halves", plane, 2, halves, *rest)
        if mode == "clamp":
            rows = rng.uniform(-1, 1, 32 * 13).astype("f4")
            yield texture(f"pitched rows, {how}", "rows", (32, 13, 0, 0), 2, rows, *rest)
    integers = rng.integers(-128, 128, 4 * 19 * 13, "i1")
    yield texture("integers, clamp, point", "integers", plane, 2, integers, rng, MODES["clamp"], 0, 1)


def texture(name: str, function: str, size: tuple[int, ...], axes: int, elements: np.ndarray,
            rng: np.random.Generator, mode: int, linear: int, normalized: int) -> Kind:  # fmt: skip
    points = np.zeros((POINTS, 3), "f4")
    for axis in range(axes):
        extent = 1.0 if normalized else size[axis]
        points[:, axis] = rng.uniform(-1.5 * extent, 2.5 * extent, POINTS)
    if size[3]:
        points[:, 2] = rng.integers(-1, size[2] + 1, POINTS)
    in_elements = points[:, :axes].astype("f8") * (np.array(size[:axes]) if normalized else 1)
    # A filter has its corners at the centres, a point at the borders of elements.
    away = np.abs(in_elements - np.round(in_elements)) if not linear else np.ones((POINTS, axes))
    channels = 4 if function in ("fractions", "signed_fractions", "integers") else 1
    fractions = int(function in ("fractions", "signed_fractions"))
    dims = (*size[:3], size[3], mode, linear, normalized, fractions, POINTS)
    output = np.dtype("i4" if function == "integers" else "f4")
    border = -0.5 if elements.dtype.kind == "f" else 0.0  # of integers the CPU executor has no other
    step = axes * STEP * 2 if linear else 0.0
    ambiguous = np.repeat((away < NEAR).any(axis=1), channels)
    return Kind(name, function, dims, (elements, points), output, POINTS * channels, (border,), step, ambiguous)


def others() -> Iterator[Kind]:
    rng = np.random.default_rng(21)
    shorts = rng.integers(-32768, 32768, 2 * 5000, "i2")
    indices = rng.integers(-100, 5100, POINTS, "i4")
    yield Kind("linear memory", "linear", (5000, POINTS), (shorts, indices), np.dtype("i4"))
    square = rng.integers(0, 65536, 4 * 100 * 100, "u2")
    yield Kind("surface, 2D", "quarter_turn", (100,), (square,), np.dtype("u2"), 4 * 100 * 100)
    bytes_ = rng.integers(0, 256, 50 * 30 * 7, "u1")
    yield Kind("surface, layered", "layered_surface", (50, 30, 7), (bytes_,), np.dtype("u1"), 50 * 30 * 7)


def perform(program: Path, module: Path, kind: Kind, folder: Path, *where: str) -> np.ndarray:
    """What the call leaves in its output. Ends this process with 77 without a GPU."""
    folder.mkdir(parents=True)
    buffers = []
    for number, values in enumerate(kind.inputs):
        values.tofile(folder / f"in{number}")
        buffers.append({"writable": False, "before": str(folder / f"in{number}"), "after": str(folder / "unchanged")})
    outputs = [kind.outputs] + ([4 * 2 * 100] if kind.function == "quarter_turn" else [])
    for number, count in enumerate(outputs):
        np.zeros(count, kind.output).tofile(folder / f"zero{number}")
        buffers.append(
            {"writable": True, "before": str(folder / f"zero{number}"), "after": str(folder / f"out{number}")}
        )
    call = {"module": str(module), "function": kind.function, "dims": kind.dims, "params": kind.params,
            "seconds": 60, "buffers": buffers}  # fmt: skip
    (folder / "call.json").write_text(json.dumps(call), encoding="utf-8")
    process = subprocess.run([program, folder / "call.json", *where], capture_output=True, text=True, check=False)
    if process.returncode == 77:
        raise NoGpu
    if process.returncode:
        raise RuntimeError(f"{kind.name}: {process.stdout}{process.stderr}")
    return np.concatenate([np.fromfile(folder / f"out{number}", kind.output) for number in range(len(outputs))])


class NoGpu(Exception):
    pass


def compare(options: argparse.Namespace, kind: Kind, folder: Path) -> tuple[bool, str]:
    """Whether it is as it must be, and the line that says so."""
    again = ("cpu",) if options.on_cpu else ()
    try:
        on_cpu = perform(options.perform_call, options.images, kind, folder / "cpu", "cpu")
        on_gpu = perform(options.perform_call, options.images, kind, folder / "gpu", *again)
    except RuntimeError as error:
        return False, str(error)
    different = on_gpu != on_cpu
    told = f"{np.count_nonzero(different)} of {different.size} differ"
    if kind.step:
        apart = np.abs(on_gpu.astype("f8") - on_cpu.astype("f8"))
        return bool((apart <= kind.step).all()), f"{told}, by {apart.max():.3g} of {kind.step:.3g}"
    between = int(different[kind.ambiguous].sum()) if kind.ambiguous.size else 0
    return np.count_nonzero(different) == between, f"{told}, {between} of them where two elements meet"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("perform_call", type=Path)
    parser.add_argument("images", type=Path)
    parser.add_argument("--on-cpu", action="store_true")
    options = parser.parse_args()
    kinds = [*textures(), *others()]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        folders = [Path(folder) / str(number) for number in range(len(kinds))]
        try:
            found = list(pool.map(lambda kind, place: compare(options, kind, place), kinds, folders))
        except NoGpu:
            print("skipped: there is no GPU")
            return 77
    for kind, (good, told) in zip(kinds, found, strict=True):
        print(f"{kind.name:<44}{told}{'' if good else ' FAILED'}")
    failed = [kind.name for kind, (good, _) in zip(kinds, found, strict=True) if not good]
    print(f"{len(kinds)} kinds, {len(failed)} not as they must be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
