"""Evaluated tasks against values worked out by hand."""

import math
import struct
from pathlib import Path

import pytest

from generator.task import load_task, load_tasks

ROOT = Path(__file__).parents[2]
TASKS = load_tasks(ROOT / "tasks")


def scale(task, name):
    return next(shape for shape in (*task.scales, *task.edges) if shape.name == name)


def test_shapes_of_the_example(task_set):
    task = load_task(task_set.file)
    assert task.dims == ("rows", "cols")
    assert [shape.name for shape in task.scales] == ["tiny", "small", "medium", "large", "huge"]
    assert [shape.name for shape in task.edges] == ["edge_1x3", "edge_2x1", "edge_7x31"]
    medium = scale(task, "medium")
    assert medium.dims == (3, 32)
    assert medium.input_elements == (96, 11)
    assert medium.output_elements == (95,)
    assert medium.output_terms == (8,)
    assert (medium.floor.read_bytes, medium.floor.write_bytes, medium.floor.fp32) == (384, 0, 0)
    assert (medium.model.fp32, medium.model.write_bytes) == (480, 380)
    assert task.bytes_in_and_out(medium) == 4 * (96 + 11 + 95)
    assert task.bytes_of_case(medium) == 4 * (96 + 11 + 4 * 95)


def test_integers_default_to_values(task_set):
    task = load_task(task_set.file)
    assert task.inputs[1].integers == task.inputs[1].values
    assert (task.inputs[0].integers.kind, task.inputs[0].integers.a) == ("integer", -3)


def test_bounds_of_values_follow_the_sizes(task_set):
    task = load_task(task_set.replace('"integer", a = 0, b = 9', '"ascending", a = "0 - rows", b = "cols * rows"'))
    drawn = [shape.input_values[1] for shape in (*task.scales, *task.edges)]
    assert [(values.a, values.b) for values in drawn[:2]] == [(-1, 8), (-2, 32)]
    assert (drawn[-1].kind, drawn[-1].a, drawn[-1].b) == ("ascending", -7, 217)
    assert task.scales[4].input_integers[1] == drawn[4]


def test_float_params_are_as_the_argument_holds_them(task_set):
    param = load_task(task_set.file).params[0]
    assert param.written == 0.1
    assert param.value == struct.unpack("f", struct.pack("f", 0.1))[0] != 0.1


def test_hash_follows_task_reference_and_oracle(task_set):
    hashes = [load_task(task_set.file).hash]
    for path in (task_set.file, task_set.reference, task_set.oracle):
        path.write_text(path.read_text() + "\n")
        hashes.append(load_task(task_set.file).hash)
    assert len(set(hashes)) == 4


def test_matrix_multiplication_by_hand():
    task = TASKS["matrix_multiplication"]
    assert task.dims == ("M", "N", "K")
    tiny = scale(task, "tiny")  # 48 x 64 times 64 x 80
    assert tiny.input_elements == (3072, 5120)
    assert tiny.output_elements == (3840,)
    assert tiny.output_terms == (64,)
    assert tiny.model.fp32 == 491520
    assert (tiny.floor.read_bytes, tiny.floor.write_bytes) == (32768, 15360)
    assert scale(task, "edge_127x129x1").output_elements == (127,)


def test_black_scholes_by_hand():
    huge = scale(TASKS["black_scholes"], "huge")
    assert huge.input_elements == (67200000,) * 3
    assert (huge.model.read_bytes, huge.model.write_bytes) == (806400000, 537600000)


def test_gaussian_blur_by_hand():
    large = scale(TASKS["gaussian_blur"], "large")  # 6000 x 5000 pixels, 7 x 9 weights
    assert large.input_elements == (30000000, 63)
    assert large.output_terms == (63,)
    assert large.model.fp32 == 3780000000


def test_matrix_transpose_by_hand():
    tiny = scale(TASKS["matrix_transpose"], "tiny")  # 60 x 84
    assert tiny.output_extents == ((84, 60),)
    assert (tiny.floor.read_bytes, tiny.model.write_bytes) == (20160, 20160)


def test_layer_norm_by_hand():
    task = TASKS["layer_norm"]
    tiny = scale(task, "tiny")  # 40 x 96
    assert tiny.input_elements == (3840, 96, 96)
    assert (tiny.model.fp32, tiny.model.sfu, tiny.model.read_bytes) == (26880, 40, 16128)
    assert task.params[0].value == struct.unpack("f", struct.pack("f", 1e-5))[0]


def test_furthest_point_sample_by_hand():
    tiny = scale(TASKS["furthest_point_sample"], "tiny")  # 5 clouds of 300 points, 32 chosen
    assert (tiny.input_elements, tiny.output_elements) == ((4500,), (160,))
    assert (tiny.model.fp32, tiny.model.read_bytes, tiny.model.write_bytes) == (372000, 18000, 640)


def test_radix_sort_by_hand():
    huge = scale(TASKS["radix_sort"], "huge")
    assert huge.input_elements == huge.output_elements == (2**27,)
    assert huge.model.read_bytes + huge.model.write_bytes == 36 * 2**27


def test_haar_wavelet_by_hand():
    task = TASKS["haar_wavelet"]
    tiny = scale(task, "tiny")  # 4800 values, five levels: 2400 + 1200 + 600 + 300 + 150 pairs
    assert tiny.model.fp32 == 4 * 4650
    for shape in (*task.scales, *task.edges):
        N, levels = shape.dims
        assert N % 2**levels == 0


def test_monte_carlo_integration_by_hand():
    tiny = scale(TASKS["monte_carlo_integration"], "tiny")  # 12 integrals of 1000 samples
    assert (tiny.input_elements, tiny.output_elements) == ((48, 12, 2), (12,))
    assert (tiny.model.int32, tiny.floor.int32, tiny.model.read_bytes) == (660000, 0, 248)


def test_furthest_point_sample_distances_are_exact_in_single_precision():
    points = TASKS["furthest_point_sample"].inputs[0]
    for values in (points.values, points.integers):
        assert values.kind == "integer"
        assert 3 * (values.b - values.a) ** 2 < 2**24


def test_monte_carlo_integration_sums_fit():
    centres, radii, _ = TASKS["monte_carlo_integration"].inputs
    assert 4 * max(centres.values.b, 2**31 - 1) ** 2 < 2**64
    assert radii.values.b**2 < 2**64


PARTLY_READ = {"batched_cholesky", "triangular_solve"}  # one triangle of a matrix counts
READ_BY_CHOICE = {"furthest_point_sample_with_distance"}  # rows of a matrix, which depend on its values


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
class TestEveryTask:
    def test_scales(self, task):
        tiny, huge = task.bytes_in_and_out(task.scales[0]), task.bytes_in_and_out(task.scales[-1])
        assert tiny < 100_000
        if huge < 2**30:  # few bytes, much work
            model = task.scales[-1].model
            assert model.fp32 + model.int32 > 5e11
        else:
            assert tiny >= 10_000

    def test_edges_are_small_and_one_is_minimal(self, task):
        assert all(task.bytes_in_and_out(edge) < 1_000_000 for edge in task.edges)
        assert any(1 in edge.dims for edge in task.edges)

    def test_floor_is_in_and_out_once(self, task):
        """None of these tasks can skip an input or an output; nothing more is proven."""
        for shape in (*task.scales, *task.edges):
            floor, all_bytes = shape.floor.read_bytes + shape.floor.write_bytes, task.bytes_in_and_out(shape)
            if task.name in READ_BY_CHOICE:
                assert floor < all_bytes
            else:
                assert all_bytes / 2 < floor < all_bytes if task.name in PARTLY_READ else floor == all_bytes
            assert shape.floor.fp32 == shape.floor.sfu == shape.floor.tensor == 0


EXACT = [task for task in TASKS.values() if any(output.check.exact_on_integers for output in task.outputs)]


INDICES = {"sparse_matrix_vector": {"columns", "row_offsets"}}


def longest_row(shape):
    """Offsets between which there is a row are a share of at most 3/4 of those before, and one more, apart."""
    rows, _, nnz = shape.dims
    return nnz * 0.75 ** math.floor(math.log2(rows)) + 4


TERMS = {"prefix_sum": lambda shape: shape.dims[0], "sparse_matrix_vector": longest_row}  # where the bound's are others


@pytest.mark.parametrize("task", EXACT, ids=lambda task: task.name)
def test_whole_numbers_stay_exact(task):
    """Six standard deviations of the random sums, and one more product, lie below 2^24."""
    deviation, largest = 1.0, 1.0
    for array in task.inputs:
        if array.name in INDICES.get(task.name, ()):
            continue
        low, high = int(array.integers.a), int(array.integers.b)
        largest *= max(abs(low), abs(high)) * array.integers.needle_factor
        square = sum(value * value for value in range(low, high + 1)) / (high - low + 1)
        needles = array.integers.needle_probability * (array.integers.needle_factor**2 - 1)
        deviation *= (square * (1 + needles)) ** 0.5
    for shape in task.scales:
        terms = TERMS.get(task.name, lambda shape: shape.output_terms[0])(shape)
        assert 6 * deviation * terms**0.5 + largest < 2**24


def test_sums_of_products_are_exact_on_whole_numbers():
    sums = {"dot_product", "fir_filter", "gaussian_blur", "matrix_multiplication", "prefix_sum"}
    assert sums <= {task.name for task in EXACT}
