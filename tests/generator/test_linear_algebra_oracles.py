"""Each oracle of linear algebra against a second computation that shares no code with it."""

import math
import statistics
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.optimize
import scipy.spatial
from oracles import agree, oracle

DOMAIN = "linear_algebra"
RNG = np.random.default_rng(7)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def rows(matrix):
    """As lists of Python's numbers."""
    return [list(map(float, row)) for row in matrix]


def test_matrix_copy():
    matrix = normal(5, 5)
    agree(oracle(DOMAIN, "matrix_copy")({"A": matrix}, {"N": 5}, {}), B=rows(matrix))


def test_dot_product():
    a, b = normal(50), normal(50)
    expected = sum(Fraction(x) * Fraction(y) for x, y in zip(map(float, a), map(float, b), strict=True))
    agree(oracle(DOMAIN, "dot_product")({"A": a, "B": b}, {"N": 50}, {}), result=[float(expected)])


def test_sparse_matrix_vector():
    """Rows 0 and 3 are empty; row 1 has two elements in one place, in no order."""
    values, x = normal(5), normal(3)
    columns, offsets = np.array([2, 0, 2, 1, 1], np.int32), np.array([0, 0, 3, 5, 5], np.int32)
    dense = np.zeros((4, 3))
    for row, column, value in zip([1, 1, 1, 2, 2], columns, values, strict=True):
        dense[row, column] += value
    inputs = {"values": values, "columns": columns, "row_offsets": offsets, "x": x}
    agree(
        oracle(DOMAIN, "sparse_matrix_vector")(inputs, {"rows": 4, "cols": 3, "nnz": 5}, {}), y=dense @ x.astype(float)
    )
    spoiled = [
        {"columns": np.array([2, 0, 3, 1, 1], np.int32)},
        {"columns": np.array([2, 0, -1, 1, 1], np.int32)},
        {"row_offsets": np.array([1, 1, 3, 5, 5], np.int32)},
        {"row_offsets": np.array([0, 4, 3, 5, 5], np.int32)},
        {"row_offsets": np.array([0, 0, 3, 5, 6], np.int32)},
    ]
    for wrong in spoiled:
        with pytest.raises(ValueError, match="index|indices|indptr"):
            oracle(DOMAIN, "sparse_matrix_vector")(inputs | wrong, {"rows": 4, "cols": 3, "nnz": 5}, {})


def test_elementwise():
    a, b = normal(20), normal(20)
    pairs = list(zip(map(float, a), map(float, b), strict=True))
    agree(
        oracle(DOMAIN, "elementwise_addition")({"A": a, "B": b}, {"N": 20}, {}), C=[math.fsum(pair) for pair in pairs]
    )
    agree(
        oracle(DOMAIN, "elementwise_multiplication")({"A": a, "B": b}, {"N": 20}, {}),
        C=[math.prod(pair) for pair in pairs],
    )


def test_matrix_vector_multiplication():
    A, x = normal(4, 6), normal(6)
    expected = [math.fsum(a * b for a, b in zip(row, map(float, x), strict=True)) for row in rows(A)]
    agree(oracle(DOMAIN, "matrix_vector_multiplication")({"A": A, "x": x}, {"M": 4, "N": 6}, {}), y=expected)


def test_cosine_similarity():
    A, B = normal(5, 3), normal(5, 3)
    A[1] = 0
    B[3] = 0
    A[4] = -2 * B[4]
    expected = [
        1 - scipy.spatial.distance.cosine(a, b) if any(a) and any(b) else 0
        for a, b in zip(rows(A), rows(B), strict=True)
    ]
    assert expected[4] == pytest.approx(-1)
    agree(oracle(DOMAIN, "cosine_similarity")({"A": A, "B": B}, {"rows": 5, "cols": 3}, {}), output=expected)


def test_rowwise_euclidean_distance():
    A, B = normal(5, 3), normal(5, 3)
    expected = [math.dist(a, b) for a, b in zip(rows(A), rows(B), strict=True)]
    agree(oracle(DOMAIN, "rowwise_euclidean_distance")({"A": A, "B": B}, {"rows": 5, "cols": 3}, {}), output=expected)


def test_of_rows():
    matrix = normal(5, 7) + 3
    for name, expected in (("variance", statistics.pvariance), ("maximum", max), ("minimum", min)):
        result = oracle(DOMAIN, f"rowwise_{name}")({"input": matrix}, {"rows": 5, "cols": 7}, {})
        agree(result, output=[expected(row) for row in rows(matrix)])


def test_pairwise_euclidean_distance():
    X, Y = normal(4, 3), normal(6, 3)
    Y[2] = X[1]
    expected = scipy.spatial.distance.cdist(X.astype(float), Y.astype(float))
    assert expected[1, 2] == 0
    result = oracle(DOMAIN, "pairwise_euclidean_distance")({"X": X, "Y": Y}, {"M": 4, "N": 6, "D": 3}, {})
    agree(result, distances=expected)


def test_batched_matrix_multiplication():
    A, B = normal(3, 2, 5), normal(3, 5, 4)
    expected = np.zeros((3, 2, 4))
    for b, i, j, k in product(range(3), range(2), range(4), range(5)):
        expected[b, i, j] += float(A[b, i, k]) * float(B[b, k, j])
    agree(
        oracle(DOMAIN, "batched_matrix_multiplication")({"A": A, "B": B}, {"BATCH": 3, "M": 2, "N": 4, "K": 5}, {}),
        C=expected,
    )


@pytest.mark.parametrize("P", [1, 2, 5, 8])
def test_matrix_power(P):
    """By eigenvalues."""
    matrix = normal(6, 6)
    values, vectors = np.linalg.eig(matrix.astype(float))
    expected = (vectors * values**P @ np.linalg.inv(vectors)).real
    agree(oracle(DOMAIN, "matrix_power")({"input": matrix}, {"N": 6, "P": P}, {}), tolerance=1e-9, output=expected)


def test_triangular_solve():
    """In fractions, row by row; what stands on and above the diagonal of L does not count."""
    n, m = 7, 3
    L, diagonal, B = normal(n, n), normal(n) + 3, normal(n, m)
    expected = np.zeros((n, m))
    for column in range(m):
        x = []
        for i in range(n):
            rest = Fraction(float(B[i, column])) - sum(Fraction(float(L[i, j])) * x[j] for j in range(i))
            x.append(rest / Fraction(float(diagonal[i])))
        expected[:, column] = [float(value) for value in x]
    result = oracle(DOMAIN, "triangular_solve")({"L": L, "diagonal": diagonal, "B": B}, {"n": n, "m": m}, {})
    agree(result, tolerance=1e-10, X=expected)


def test_batched_cholesky():
    """The factors that random matrices were made of."""
    factors = np.tril(RNG.integers(-3, 4, (4, 5, 5)), -1) + np.eye(5) * RNG.integers(1, 5, (4, 1, 5))
    matrices = factors @ factors.transpose(0, 2, 1)
    diagonal = np.einsum("bii->bi", matrices)
    A = np.tril(matrices, -1) + np.triu(normal(4, 5, 5))
    inputs = {"A": A.astype(np.float32), "diagonal": diagonal.astype(np.float32)}
    agree(oracle(DOMAIN, "batched_cholesky")(inputs, {"BATCH": 4, "n": 5}, {}), tolerance=1e-9, L=factors)
    inputs["diagonal"][2, 0] = -1
    assert np.isnan(oracle(DOMAIN, "batched_cholesky")(inputs, {"BATCH": 4, "n": 5}, {})["L"]).all()


def test_ordinary_least_squares():
    """The residual is orthogonal to every column."""
    X, y = normal(40, 6), normal(40)
    X += 1
    result = oracle(DOMAIN, "ordinary_least_squares")({"X": X, "y": y}, {"n_samples": 40, "n_features": 6}, {})
    beta = scipy.optimize.lsq_linear(X.astype(float), y.astype(float), tol=1e-15).x
    agree(result, tolerance=1e-10, beta=beta)
    residual = y - X.astype(float) @ result["beta"]
    np.testing.assert_allclose(X.T.astype(float) @ residual, 0, atol=1e-12)
