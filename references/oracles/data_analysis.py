"""NumPy statements of the tasks of data analysis, in double precision."""

from __future__ import annotations

import itertools
import math

import numpy as np

Arrays = dict[str, np.ndarray]


def prefix_sum(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": np.add.accumulate(inputs["input"].astype(np.float64))}


def radix_sort(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": np.sort(inputs["input"]).astype(np.float64)}


def reduction(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": np.array([math.fsum(inputs["input"].tolist())])}


def histogram(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"histogram": np.bincount(inputs["input"], minlength=int(params["num_bins"])).astype(np.float64)}


def reverse_array(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": np.flip(inputs["input"]).astype(np.float64)}


def top_k_selection(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": np.sort(inputs["input"].astype(np.float64))[::-1][: dims["k"]].copy()}


def key_value_sort(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    order = np.argsort(inputs["keys"], kind="stable")
    return {f"sorted_{name}": inputs[name][order].astype(np.float64) for name in ("keys", "values")}


def max_subarray_sum(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    prefix = np.concatenate([[0], np.cumsum(inputs["input"], dtype=np.int64)])
    size = dims["window_size"]
    return {"output": np.array([(prefix[size:] - prefix[:-size]).max()], np.float64)}


def max_subarray(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """By prefix sums: the largest excess of one over the least before it."""
    prefix = np.concatenate([[0], np.cumsum(inputs["input"], dtype=np.int64)])
    return {"output": np.array([(prefix[1:] - np.minimum.accumulate(prefix)[:-1]).max()], np.float64)}


def _followed_by_zeros(values: np.ndarray, size: int) -> np.ndarray:
    padded = np.zeros(size)
    padded[: len(values)] = values
    return padded


def stream_compaction(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    values = inputs["input"]
    kept = values[values > 0]
    return {"output": _followed_by_zeros(kept, values.size), "count": np.array([len(kept)], np.float64)}


def run_length_encode(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    runs = [(value, sum(1 for _ in run)) for value, run in itertools.groupby(inputs["input"].tolist())]
    values, lengths = zip(*runs, strict=True)
    size = inputs["input"].size
    return {
        "values": _followed_by_zeros(np.array(values), size),
        "lengths": _followed_by_zeros(np.array(lengths), size),
        "count": np.array([len(runs)], np.float64),
    }


def segmented_sum(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    values = inputs["values"].astype(np.float64)
    starts = np.union1d([0], np.flatnonzero(inputs["heads"]))
    sums = np.array([math.fsum(part) for part in np.split(values, starts[1:])])
    return {"sums": _followed_by_zeros(sums, values.size), "count": np.array([len(starts)], np.float64)}


def group_by_sum(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    keys, group = np.unique(inputs["keys"], return_inverse=True)
    sums = np.bincount(group, weights=inputs["values"].astype(np.float64))
    capacity = int(params["capacity"])
    return {
        "group_keys": _followed_by_zeros(keys, capacity),
        "sums": _followed_by_zeros(sums, capacity),
        "count": np.array([len(keys)], np.float64),
    }
