"""What host code asks for, recorded with or without a GPU, against grids and arguments worked out by hand.

An argument is the name of a buffer, a number, or None for what the recorder chooses (scratch memory) or what is not
compared (structures of a library).
"""

import struct
from collections.abc import Callable
from math import ceil

import pytest
from conftest import ROOT, Grading

from generator.task import load_tasks

TASKS = load_tasks(ROOT / "tasks")
Launch = tuple[str, tuple[int, int, int], tuple[int, int, int], list]  # kernel, grid, block, arguments


def line(blocks: float, threads: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    return (ceil(blocks), 1, 1), (threads, 1, 1)


def black_scholes_streams(N: int) -> list[Launch]:
    half = N // 2
    prices = ["stock_price", "strike_price", "years"]
    return [
        ("prepare", *line(half / 256, 256), [*prices, None, 0, half, 0.02, 0.3]),
        ("prepare", *line((N - half) / 256, 256), [*prices, None, half, N, 0.02, 0.3]),
        ("price", *line(N / 256, 256), [*prices, None, "call", "put", N, 0.02, 0.3]),
    ]


def naive_matrix_multiplication(M: int, N: int, K: int) -> list[Launch]:
    return [("multiply", (ceil(K / 16), ceil(M / 16), 1), (16, 16, 1), ["A", "B", "C", M, N, K])]


def blur(input_rows: int, input_cols: int, kernel_rows: int, kernel_cols: int) -> list[Launch]:
    arguments = ["input", "kernel", "output", input_rows, input_cols, kernel_rows, kernel_cols]
    return [("blur", (ceil(input_cols / 32), ceil(input_rows / 8), 1), (32, 8, 1), arguments)]


def three_pass_scan(N: int) -> list[Launch]:
    tiles = ceil(N / 2048)
    return [
        ("sum_tiles", *line(tiles, 256), ["input", None, N]),
        ("scan_tiles", *line(1, 256), [None, 0, None, tiles]),
        ("scan_tiles", *line(tiles, 256), ["input", None, "output", N]),
    ]


def sorting_network(N: int) -> list[Launch]:
    runs = range(1, (N - 1).bit_length() + 1)  # of 2 to the power of these
    flips = [flip for run in runs for flip in (2**run - 1, *(2**distance for distance in range(run - 2, -1, -1)))]
    return [("order", *line(N / 256, 256), ["output", N, flip]) for flip in flips]


def haar_levels(N: int, levels: int) -> list[Launch]:
    pairs = [N >> level for level in range(1, levels + 1)]
    sources = ["input"] + [None] * (levels - 1)
    targets = [None] * (levels - 1) + ["output"]
    return [
        ("split", *line(count / 256, 256), [source, target, None, count])
        for count, source, target in zip(pairs, sources, targets, strict=True)
    ]


def count_hits(integrals: int, samples: int) -> list[Launch]:
    arguments = ["centres", "radii", "key", "hits", samples]
    return [("count", (ceil(samples / 256), integrals, 1), (256, 1, 1), arguments)]


EXPECTED: dict[str, Callable[..., list[Launch]]] = {
    "device_endless/softmax@tiny": lambda rows, cols: [("wait_for_change", *line(1, 1), ["input"])],
    "device_out_of_bounds/softmax": lambda rows, cols: [
        ("fill", *line(rows * cols // 256 + 1, 256), ["output", rows * cols])
    ],
    "does_nothing/matrix_multiplication": lambda M, N, K: [],
    "good/fir_filter": lambda N, num_taps: [("filter", *line(N / 1024, 256), ["input", "output", N, num_taps])],
    "good/matrix_multiplication": lambda M, N, K: [
        ("multiply", (ceil(K / 128), ceil(M / 128), 1), (256, 1, 1), ["A", "B", "C", M, N, K])
    ],
    "good/prefix_sum": three_pass_scan,
    "good/softmax": lambda rows, cols: [("softmax", *line(rows, 256), ["input", "output", cols])],
    "half_precision/matrix_multiplication": naive_matrix_multiplication,
    "missing_synchronisation/prefix_sum": lambda N: [("scan", *line(1, 1024), ["input", "output", N])],
    "naive/black_scholes": lambda N: [
        ("price", *line(N / 256, 256), ["stock_price", "strike_price", "years", "call", "put", N, 0.02, 0.3])
    ],
    "naive/fir_filter": lambda N, num_taps: [("filter", *line(N / 256, 256), ["input", "taps", "output", N, num_taps])],
    "naive/furthest_point_sample": lambda B, N, K: [("sample", *line(B, 256), ["points", None, "indices", N, K])],
    "naive/gaussian_blur": blur,
    "naive/haar_wavelet": haar_levels,
    "naive/layer_norm": lambda N, C: [
        ("normalize", *line(N / 128, 128), ["input", "weight", "bias", "output", N, C, 1e-5])
    ],
    "naive/matrix_multiplication": naive_matrix_multiplication,
    "naive/matrix_transpose": lambda rows, cols: [
        ("transpose", (ceil(cols / 32), ceil(rows / 8), 1), (32, 8, 1), ["input", "output", rows, cols])
    ],
    "naive/monte_carlo_integration": count_hits,
    "naive/prefix_sum@tiny": lambda N: [("scan", *line(1, 1), ["input", "output", N])],
    "naive/radix_sort": sorting_network,
    "naive/softmax": lambda rows, cols: [("softmax", *line(rows / 128, 128), ["input", "output", rows, cols])],
    "off_by_one/gaussian_blur": blur,
    "opens_driver_and_reference/softmax": lambda rows, cols: [],
    "small_only/prefix_sum": lambda N: [("scan", *line(1, 1024), ["input", "output", N])],
    "streams_and_events/black_scholes": black_scholes_streams,
    "writes_input/softmax": lambda rows, cols: [
        ("scale", *line(rows * cols / 256, 256), ["input", "output", rows * cols])
    ],
}


def recipe_of(grading: Grading, name: str) -> dict:
    return grading.results[name, "tiny"]["recipe"]


def launches_of(recipe: dict) -> list[dict]:
    return [operation for operation in recipe["operations"] if operation["operation"] == "launch"]


def recorded_shape(grading: Grading, name: str) -> dict[str, int]:
    """The last shape that was recorded: the scale's, unless an edge shape ended the case before."""
    task = TASKS[grading.results[name, "tiny"]["task"]]
    return dict(zip(task.dims, task.scales[0].dims, strict=True))


def expected_bytes(argument: str | int | float, size: int, buffers: dict[str, str]) -> bytes:
    if isinstance(argument, str):
        return int(buffers[argument], 16).to_bytes(8, "little")
    if isinstance(argument, float):
        return struct.pack("<f", argument)
    return argument.to_bytes(size, "little")


@pytest.mark.parametrize("name", EXPECTED)
def test_launches(grading: Grading, name: str) -> None:
    if grading.results[name, "tiny"]["stage"] == "launch":
        pytest.skip("this case ended at an edge shape")
    recipe = recipe_of(grading, name)
    expected = EXPECTED[name](**recorded_shape(grading, name))
    launches = launches_of(recipe)
    if recipe["operation_count"] > len(recipe["operations"]):
        expected = expected[: len(launches)]  # results list the first operations only
    assert [(launch["grid"], launch["block"]) for launch in launches] == [
        (list(grid), list(block)) for _, grid, block, _ in expected
    ]
    for launch, (kernel, _, _, arguments) in zip(launches, expected, strict=True):
        assert f"{len(kernel)}{kernel}" in launch["kernel"]  # as C++ mangles a function's name
        assert len(launch["arguments"]) == len(arguments)
        for blob, argument in zip(launch["arguments"], arguments, strict=True):
            if argument is not None:
                assert bytes.fromhex(blob) == expected_bytes(argument, len(blob) // 2, recipe["buffers"])


def test_streams_wait_for_each_other(grading: Grading) -> None:
    operations = recipe_of(grading, "streams_and_events/black_scholes")["operations"]
    launches = [o for o in operations if o["operation"] == "launch"]
    left, right, last = (launch["stream"] for launch in launches)
    assert len({left, right, last}) == 3
    order = [(o["operation"], o.get("stream")) for o in operations if o["operation"] in ("record_event", "wait_event")]
    assert order == [("record_event", left), ("record_event", right), ("wait_event", last), ("wait_event", last)]
    events = [o["event"] for o in operations if "event" in o]
    assert events[:2] == events[2:]


def test_copy_to_a_symbol(grading: Grading) -> None:
    num_taps = recorded_shape(grading, "good/fir_filter")["num_taps"]
    recipe = recipe_of(grading, "good/fir_filter")
    (copy,) = (o for o in recipe["operations"] if o["operation"] == "copy_on_device")
    assert copy["destination"] == "constant_taps+0"
    assert int(copy["source"], 16) == int(recipe["buffers"]["taps"], 16)
    assert copy["bytes"] == 4 * num_taps


def test_cub_is_recorded(grading: Grading) -> None:
    kernels = [launch["kernel"] for launch in launches_of(recipe_of(grading, "cub/prefix_sum"))]
    assert len(kernels) == 2
    assert all("DeviceScan" in kernel for kernel in kernels)


def test_operations_of_a_long_recipe_are_counted(grading: Grading) -> None:
    """A copy, and 1 + 2 + ... + 13 steps to sort up to 2^13 keys."""
    recipe = recipe_of(grading, "naive/radix_sort")
    assert recipe["operation_count"] == 1 + 13 * 14 // 2 > len(recipe["operations"])


def test_host_dependent(grading: Grading) -> None:
    """Without a GPU, and too large for the CPU, the recording ends at the question that it asks."""
    result = grading.results["host_finish/prefix_sum", "tiny"]
    assert len(launches_of(grading.results["host_finish/prefix_sum", "large"]["recipe"])) == (
        2 if grading.has_gpu else 1
    )
    assert result["host_dependent"]
    kernels = [launch["kernel"] for launch in launches_of(result["recipe"])]
    assert len(kernels) == 2
    N = recorded_shape(grading, "host_finish/prefix_sum")["N"]
    assert launches_of(result["recipe"])[0]["grid"] == [ceil(N / 8192), 1, 1]
