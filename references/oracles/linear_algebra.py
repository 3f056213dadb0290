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


def matrix_vector_multiplication(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"y": inputs["A"].astype(np.float64) @ inputs["x"].astype(np.float64)}


def cosine_similarity(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    units = []
    for name in ("A", "B"):
        vectors = inputs[name].astype(np.float64)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        units.append(vectors / np.where(norms == 0, 1, norms))
    return {"output": np.einsum("ij,ij->i", *units)}


def rowwise_euclidean_distance(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": np.linalg.norm(inputs["A"].astype(np.float64) - inputs["B"], axis=1)}


def rowwise_variance(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": inputs["input"].astype(np.float64).var(axis=1)}


def rowwise_maximum(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": inputs["input"].astype(np.float64).max(axis=1)}


def rowwise_minimum(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": inputs["input"].astype(np.float64).min(axis=1)}


def pairwise_euclidean_distance(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    X, Y = (inputs[name].astype(np.float64) for name in ("X", "Y"))
    return {"distances": np.stack([np.linalg.norm(Y - x, axis=1) for x in X])}


def batched_matrix_multiplication(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"C": inputs["A"].astype(np.float64) @ inputs["B"].astype(np.float64)}
