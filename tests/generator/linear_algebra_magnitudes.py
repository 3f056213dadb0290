"""What the references of linear algebra compute as magnitudes, in NumPy."""

from pathlib import Path

import numpy as np

from generator.task import load_task


def doubles(inputs, *names):
    return (inputs[name].astype(float) for name in names)


def dot_product(inputs):
    products = np.multiply(*doubles(inputs, "A", "B"))
    return np.array([abs(products.sum()) + np.linalg.norm(products)])


def matrix_vector_multiplication(inputs):
    A, x = doubles(inputs, "A", "x")
    return np.linalg.norm(A, axis=1) * np.linalg.norm(x) / np.sqrt(x.size)


def sparse_matrix_vector(inputs):
    values, x = doubles(inputs, "values", "x")
    lengths = np.diff(inputs["row_offsets"])
    rows = np.repeat(np.arange(lengths.size), lengths)
    squares = np.bincount(rows, weights=(values * x[inputs["columns"]]) ** 2, minlength=lengths.size)
    return np.sqrt(lengths * squares)


def cosine_similarity(inputs):
    A, B = doubles(inputs, "A", "B")
    size = abs((A * B).sum(axis=1)) + np.linalg.norm(A * B, axis=1)
    norms = np.linalg.norm(A, axis=1) * np.linalg.norm(B, axis=1)
    return np.divide(size, norms, out=np.zeros_like(size), where=norms != 0)


def rowwise_euclidean_distance(inputs):
    return np.linalg.norm(np.subtract(*doubles(inputs, "A", "B")), axis=1)


def rowwise_variance(inputs):
    return np.square(*doubles(inputs, "input")).mean(axis=1)


def pairwise_euclidean_distance(inputs):
    X, Y = doubles(inputs, "X", "Y")
    distances = np.linalg.norm(X[:, None] - Y, axis=2)
    return ((X**2).sum(axis=1)[:, None] + (Y**2).sum(axis=1)) / distances


def batched_matrix_multiplication(inputs):
    A, B = doubles(inputs, "A", "B")
    return np.linalg.norm(A, axis=2)[:, :, None] * np.linalg.norm(B, axis=1)[:, None] / np.sqrt(A.shape[2])


def matrix_power(inputs):
    (matrix,) = doubles(inputs, "input")
    P = POWERS[len(matrix)]
    norms = [np.linalg.norm(np.linalg.matrix_power(matrix, k)) for k in range(P)]  # norms[0] is not used
    return np.full(matrix.shape, max(norms[k] * norms[P - k] for k in range(1, P)) / len(matrix) ** 1.5)


def triangular_solve(inputs):
    L, diagonal, B = doubles(inputs, "L", "diagonal", "B")
    X = np.linalg.solve(np.tril(L, -1) + np.diag(diagonal), B)
    return np.broadcast_to(np.sqrt((X**2).mean(axis=0)), X.shape)


def batched_cholesky(inputs):
    norms = np.sqrt(inputs["diagonal"].astype(float))
    return np.tril(np.ones(inputs["A"].shape)) * norms[:, :, None]


def ordinary_least_squares(inputs):
    X, y = doubles(inputs, "X", "y")
    G, c = X.T @ X, X.T @ y
    beta = np.linalg.solve(G, c)
    dG = abs(G) + np.sqrt((X**2).T @ X**2)
    dc = abs(c) + np.sqrt((X**2).T @ y**2)
    return abs(np.linalg.inv(G)) @ (dc + dG @ abs(beta))


TASKS = Path(__file__).parents[2] / "tasks" / "linear_algebra"
POWERS = {shape.dims[0]: shape.dims[1] for shape in load_task(TASKS / "matrix_power.toml").scales}

MAGNITUDES = {
    "dot_product": dot_product,
    "matrix_vector_multiplication": matrix_vector_multiplication,
    "sparse_matrix_vector": sparse_matrix_vector,
    "cosine_similarity": cosine_similarity,
    "rowwise_euclidean_distance": rowwise_euclidean_distance,
    "rowwise_variance": rowwise_variance,
    "pairwise_euclidean_distance": pairwise_euclidean_distance,
    "batched_matrix_multiplication": batched_matrix_multiplication,
    "matrix_power": matrix_power,
    "triangular_solve": triangular_solve,
    "batched_cholesky": batched_cholesky,
    "ordinary_least_squares": ordinary_least_squares,
}
