"""What the references of linear algebra compute as magnitudes, in NumPy."""

import numpy as np


def doubles(inputs, *names):
    return (inputs[name].astype(float) for name in names)


def dot_product(inputs):
    products = np.multiply(*doubles(inputs, "A", "B"))
    return np.array([abs(products.sum()) + np.linalg.norm(products)])


def matrix_vector_multiplication(inputs):
    A, x = doubles(inputs, "A", "x")
    return np.linalg.norm(A, axis=1) * np.linalg.norm(x) / np.sqrt(x.size)


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


MAGNITUDES = {
    "dot_product": dot_product,
    "matrix_vector_multiplication": matrix_vector_multiplication,
    "cosine_similarity": cosine_similarity,
    "rowwise_euclidean_distance": rowwise_euclidean_distance,
    "rowwise_variance": rowwise_variance,
    "pairwise_euclidean_distance": pairwise_euclidean_distance,
    "batched_matrix_multiplication": batched_matrix_multiplication,
}
