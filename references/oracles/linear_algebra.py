"""NumPy statements of the tasks of linear algebra, in double precision."""

from __future__ import annotations

import numpy as np

Arrays = dict[str, np.ndarray]


def matrix_multiplication(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"C": inputs["A"].astype(np.float64) @ inputs["B"].astype(np.float64)}


def matrix_transpose(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": inputs["input"].astype(np.float64).T}


def matrix_copy(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"B": inputs["A"].astype(np.float64)}


def dot_product(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"result": np.array([np.dot(inputs["A"].astype(np.float64), inputs["B"].astype(np.float64))])}


def elementwise_addition(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"C": inputs["A"].astype(np.float64) + inputs["B"].astype(np.float64)}


def elementwise_multiplication(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"C": inputs["A"].astype(np.float64) * inputs["B"].astype(np.float64)}
