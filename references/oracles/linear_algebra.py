"""NumPy and SciPy statements of the tasks of linear algebra, in double precision."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.sparse

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


def sparse_matrix_vector(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    parts = (inputs["values"].astype(np.float64), inputs["columns"], inputs["row_offsets"])
    matrix = scipy.sparse.csr_array(parts, shape=(dims["rows"], dims["cols"]))
    matrix.check_format(full_check=True)
    return {"y": matrix @ inputs["x"].astype(np.float64)}


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


def matrix_power(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": np.linalg.matrix_power(inputs["input"].astype(np.float64), dims["P"])}


def triangular_solve(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    matrix = np.tril(inputs["L"].astype(np.float64), -1) + np.diag(inputs["diagonal"].astype(np.float64))
    return {"X": scipy.linalg.solve_triangular(matrix, inputs["B"].astype(np.float64), lower=True)}


def batched_cholesky(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """NaN if a matrix is not positive definite."""
    lower = np.tril(inputs["A"].astype(np.float64), -1)
    matrices = lower + lower.transpose(0, 2, 1) + np.eye(dims["n"]) * inputs["diagonal"].astype(np.float64)[:, :, None]
    try:
        return {"L": np.linalg.cholesky(matrices)}
    except np.linalg.LinAlgError:
        return {"L": np.full(matrices.shape, np.nan)}


def ordinary_least_squares(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """By singular values."""
    return {"beta": np.linalg.lstsq(inputs["X"].astype(np.float64), inputs["y"].astype(np.float64), rcond=None)[0]}
