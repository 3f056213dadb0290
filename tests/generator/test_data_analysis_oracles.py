"""Each oracle of data analysis against a second computation that shares no code with it."""

import collections
import heapq
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
import scipy.ndimage
from oracles import agree, oracle

DOMAIN = "data_analysis"
RNG = np.random.default_rng(31)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def integers(low, high, size, dtype=np.int32):
    """Both ends included."""
    return RNG.integers(low, high + 1, size).astype(dtype)


def followed_by_zeros(values, size):
    return [*values, *[0] * (size - len(values))]


@pytest.mark.parametrize("size", [1, 2, 1001])
def test_reduction(size):
    """In fractions."""
    values = normal(size) * np.float32(1000)
    agree(
        oracle(DOMAIN, "reduction")({"input": values}, {"N": size}, {}),
        output=[float(sum(map(Fraction, values.tolist())))],
    )


def test_histogram():
    values = integers(0, 255, 3000)
    values[values == 7] = 8
    counts = scipy.ndimage.histogram(values, -0.5, 255.5, 256)
    agree(oracle(DOMAIN, "histogram")({"input": values}, {"N": 3000}, {"num_bins": 256}), histogram=counts)
    assert counts[7] == 0


def test_reverse_array():
    values = normal(101)
    last_first = collections.deque()
    last_first.extendleft(map(float, values))
    agree(oracle(DOMAIN, "reverse_array")({"input": values}, {"N": 101}, {}), output=list(last_first))


@pytest.mark.parametrize("k", [1, 20, 60])
def test_top_k_selection(k):
    """By a heap; many values are equal."""
    values = integers(-9, 9, 60, np.float32)
    agree(
        oracle(DOMAIN, "top_k_selection")({"input": values}, {"N": 60, "k": k}, {}),
        output=heapq.nlargest(k, values.tolist()),
    )


@pytest.mark.parametrize("largest", [3, 2**32 - 1])
def test_key_value_sort(largest):
    """Python's sort of pairs is stable; values may not decide."""
    keys, values = integers(0, largest, 400, np.uint32), integers(0, 2**32 - 1, 400, np.uint32)
    pairs = sorted(zip(keys.tolist(), values.tolist(), strict=True), key=lambda pair: pair[0])
    result = oracle(DOMAIN, "key_value_sort")({"keys": keys, "values": values}, {"N": 400}, {})
    agree(result, sorted_keys=[key for key, _ in pairs], sorted_values=[value for _, value in pairs])


@pytest.mark.parametrize("window", [1, 7, 80])
@pytest.mark.parametrize("largest", [-1, 9999])
def test_max_subarray_sum(window, largest):
    values = integers(-9999, largest, 80)
    sums = [sum(values.tolist()[first : first + window]) for first in range(80 - window + 1)]
    agree(
        oracle(DOMAIN, "max_subarray_sum")({"input": values}, {"N": 80, "window_size": window}, {}), output=[max(sums)]
    )


@pytest.mark.parametrize(("low", "high"), [(-9, 9), (-7, -1), (1, 5)])
def test_max_subarray(low, high):
    """All parts, one by one."""
    values = integers(low, high, 40)
    sums = [sum(values.tolist()[first:end]) for first, end in combinations(range(41), 2)]
    agree(oracle(DOMAIN, "max_subarray")({"input": values}, {"N": 40}, {}), output=[max(sums)])


@pytest.mark.parametrize("mean", [-50, 0, 50])
def test_stream_compaction(mean):
    """None, some or all are kept; zeros of either sign are not."""
    values = normal(60) + np.float32(mean)
    values[10:12] = [0.0, -0.0]
    kept = [value for value in values.tolist() if value > 0]
    result = oracle(DOMAIN, "stream_compaction")({"input": values}, {"N": 60}, {})
    agree(result, output=followed_by_zeros(kept, 60), count=[len(kept)])


@pytest.mark.parametrize("largest", [0, 1, 1000])
def test_run_length_encode(largest):
    """By the places where neighbours differ."""
    values = integers(0, largest, 90)
    borders = [0, *(1 + np.flatnonzero(np.diff(values))), 90]
    lengths = [after - before for before, after in pairwise(borders)]
    result = oracle(DOMAIN, "run_length_encode")({"input": values}, {"N": 90}, {})
    of_runs = followed_by_zeros(values[borders[:-1]], 90)
    agree(result, values=of_runs, lengths=followed_by_zeros(lengths, 90), count=[len(lengths)])


@pytest.mark.parametrize("share", [0, 0.1, 1])
def test_segmented_sum(share):
    """The segments' numbers, and sums by label."""
    values, heads = normal(200), (RNG.random(200) < share).astype(np.uint8)
    heads[0] = 0
    labels = np.cumsum(heads.astype(int))
    sums = scipy.ndimage.sum_labels(values.astype(float), labels, np.unique(labels))
    result = oracle(DOMAIN, "segmented_sum")({"values": values, "heads": heads}, {"N": 200}, {})
    agree(result, sums=followed_by_zeros(sums, 200), count=[labels[-1] + 1])


@pytest.mark.parametrize("low", [-5, -(2**31)])
def test_group_by_sum(low):
    """By a dictionary."""
    keys, values = integers(low, low + 20, 300), normal(300)
    groups = collections.defaultdict(Fraction)
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        groups[key] += Fraction(value)
    result = oracle(DOMAIN, "group_by_sum")({"keys": keys, "values": values}, {"N": 300}, {"capacity": 400})
    sums = [float(groups[key]) for key in sorted(groups)]
    agree(
        result,
        group_keys=followed_by_zeros(sorted(groups), 400),
        sums=followed_by_zeros(sums, 400),
        count=[len(groups)],
    )
