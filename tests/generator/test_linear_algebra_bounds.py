"""Tolerances of linear algebra lie between honest kernels and those of reduced precision, simulated at quick sizes.

Numbers for more sizes stand beside the tolerances in the task files.
"""

from pathlib import Path

import bound
import linear_algebra_magnitudes
import numpy as np
import pytest
import scipy.linalg
from bound import half

from generator.task import load_task

TASKS = Path(__file__).parents[2] / "tasks" / "linear_algebra"
float32 = np.float32


def accepted(task, terms, inputs, result, truth):
    check = load_task(TASKS / f"{task}.toml").outputs[0].check
    return bound.accepted(check, terms, result, truth, linear_algebra_magnitudes.MAGNITUDES[task](inputs))


def in_sequence(values):
    return np.cumsum(values, axis=1, dtype=float32)[:, -1]


def in_lanes(values):
    """By 32 threads, then in pairs."""
    padded = np.concatenate([values, np.zeros((len(values), -values.shape[1] % 32), float32)], axis=1)
    sums = np.cumsum(padded.reshape(len(values), -1, 32), axis=1, dtype=float32)[:, -1]
    while sums.shape[1] > 1:
        sums = sums[:, 0::2] + sums[:, 1::2]
    return sums[:, 0]


SUMS = pytest.mark.parametrize("summed", [in_sequence, in_lanes])
COLS = pytest.mark.parametrize("cols", [2, 31, 257, 1030])


def draw(cols, mean=0.0):
    random = np.random.default_rng(cols)
    return [(mean + random.standard_normal((500, cols))).astype(float32) for _ in range(2)]


@COLS
@SUMS
def test_matrix_vector_multiplication(cols, summed):
    A, (x, *_) = draw(cols)
    doubles = A.astype(float)

    def passes(result):
        return accepted("matrix_vector_multiplication", cols, {"A": A, "x": x}, result, doubles @ x)

    assert passes(summed(A * x))
    assert not passes(half(A).astype(float) @ x)
    assert not passes(doubles @ half(x))
    assert not passes(half(doubles @ x))
    assert not passes(doubles[:, :-1] @ x[:-1])


@pytest.mark.parametrize("length", [1, 2, 13, 257, 2000])
@SUMS
def test_sparse_matrix_vector(length, summed):
    """Rows of one length, each value with an element of x of its own."""
    random = np.random.default_rng(length)
    values, x = (random.standard_normal((500, length)).astype(float32) for _ in range(2))
    products = values.astype(float) * x
    inputs = {
        "values": values.ravel(),
        "columns": np.arange(values.size, dtype=np.int32),
        "row_offsets": np.arange(0, values.size + 1, length, dtype=np.int32),
        "x": x.ravel(),
    }

    def passes(result):
        return accepted("sparse_matrix_vector", 1, inputs, result, products.sum(axis=1))

    assert passes(summed(values * x))
    assert not passes((half(values).astype(float) * x).sum(axis=1))
    assert not passes((values.astype(float) * half(x)).sum(axis=1))
    assert not passes(half(products.sum(axis=1)))
    assert not passes(products[:, :-1].sum(axis=1))


@COLS
@SUMS
def test_cosine_similarity(cols, summed):
    A, B = draw(cols)

    def cosine(a, b):
        a, b = a.astype(float), b.astype(float)
        return (a * b).sum(axis=1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))

    def passes(result):
        return accepted("cosine_similarity", cols, {"A": A, "B": B}, result, cosine(A, B))

    assert passes(summed(A * B) / (np.sqrt(summed(A * A)) * np.sqrt(summed(B * B))))
    assert not passes(cosine(half(A), B))
    assert not passes(half(cosine(A, B)))
    assert not passes(cosine(A[:, :-1], B[:, :-1]))


@COLS
@SUMS
@pytest.mark.parametrize("mean", [0, 2])
def test_rowwise_variance(cols, summed, mean):
    x, _ = draw(cols, mean)
    doubles = x.astype(float)

    def passes(result):
        return accepted("rowwise_variance", cols, {"input": x}, result, doubles.var(axis=1))

    average = summed(x) / float32(cols)
    assert passes(summed((x - average[:, None]) ** 2) / float32(cols))
    assert passes(summed(x * x) / float32(cols) - average * average)
    assert not passes(half(x).astype(float).var(axis=1))
    assert not passes(half(doubles.var(axis=1)))
    assert not passes(doubles.var(axis=1, ddof=1))
    assert not passes(doubles[:, :-1].var(axis=1))


@COLS
@SUMS
def test_rowwise_euclidean_distance(cols, summed):
    A, B = draw(cols)

    def distance(a, b):
        return np.linalg.norm(a.astype(float) - b, axis=1)

    def passes(result):
        return accepted("rowwise_euclidean_distance", cols, {"A": A, "B": B}, result, distance(A, B))

    assert passes(np.sqrt(summed((A - B) ** 2)))
    assert not passes(distance(half(A), B))
    assert not passes(half(distance(A, B)))
    assert not passes(distance(A[:, :-1], B[:, :-1]))


@pytest.mark.parametrize("n", [31, 130, 400])
def test_triangular_solve(n):
    random = np.random.default_rng(n)
    L = random.normal(0, 0.02, (n, n)).astype(float32)
    diagonal, B = random.uniform(1, 2, n).astype(float32), random.standard_normal((n, 30)).astype(float32)

    def solution(L=L, diagonal=diagonal, B=B):
        matrix = np.tril(L.astype(float), -1) + np.diag(diagonal.astype(float))
        return scipy.linalg.solve_triangular(matrix, B.astype(float), lower=True)

    def substituted(rounding=lambda values: values):
        rest, X = B.copy(), np.zeros_like(B)
        for i in range(n):
            X[i] = rest[i] * (1 / diagonal[i])
            rest[i + 1 :] -= rounding(L[i + 1 :, i : i + 1]) * rounding(X[i])
        return X

    def passes(result):
        return accepted("triangular_solve", n, {"L": L, "diagonal": diagonal, "B": B}, result, solution())

    assert passes(substituted())
    assert not passes(substituted(half))
    assert not passes(solution(B=half(B)))
    assert not passes(solution(diagonal=half(diagonal)))
    assert not passes(half(solution()))


@pytest.mark.parametrize("n", [2, 12, 32, 64])
def test_batched_cholesky(n):
    random = np.random.default_rng(n)
    A = random.normal(0, 0.05, (200, n, n)).astype(float32)
    diagonal = random.uniform(1, 2, (200, n)).astype(float32)

    def matrices(A=A, diagonal=diagonal):
        lower = np.tril(A, -1)
        return lower + lower.transpose(0, 2, 1) + np.eye(n, dtype=float32) * diagonal[:, :, None]

    def factor():
        L = matrices()
        for k in range(n):
            L[:, k, k] = np.sqrt(L[:, k, k])
            L[:, k + 1 :, k] /= L[:, k, k, None]
            L[:, k + 1 :, k + 1 :] -= L[:, k + 1 :, k, None] * L[:, None, k + 1 :, k]
        return np.tril(L)

    truth = np.linalg.cholesky(matrices().astype(float))

    def passes(result):
        return accepted("batched_cholesky", n, {"A": A, "diagonal": diagonal}, result, truth)

    assert passes(factor())
    assert not passes(half(truth))
    assert not passes(np.linalg.cholesky(matrices(A=half(A)).astype(float)))
    assert not passes(np.linalg.cholesky(matrices(diagonal=half(diagonal)).astype(float)))
    assert not passes(truth + np.triu(np.full((n, n), 1e-6), 1))
