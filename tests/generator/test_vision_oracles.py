"""Oracles of computer vision against second computations that share no code with them."""

from itertools import product

import numpy as np
import pytest
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.spatial.distance
from oracles import agree, oracle

DOMAIN = "vision"
RNG = np.random.default_rng(33)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def cloud(*shape, largest=6):
    """Points at whole numbers, many in one place or at equal distances."""
    return RNG.integers(0, largest + 1, (*shape, 3)).astype(np.float32)


def squared_distances(some, others):
    return scipy.spatial.distance.cdist(some.astype(float), others.astype(float), "sqeuclidean")


def in_order(distances):
    """Numbers of the points of each query, nearest first, the lower number first of equal ones."""
    return np.array([sorted(range(len(row)), key=lambda j, row=row: (row[j], j)) for row in distances.tolist()])


def test_nearest_neighbor():
    points = cloud(50)
    distances = squared_distances(points, points)
    np.fill_diagonal(distances, np.inf)
    agree(oracle(DOMAIN, "nearest_neighbor")({"points": points}, {"N": 50}, {}), indices=in_order(distances)[:, 0])
    agree(oracle(DOMAIN, "nearest_neighbor")({"points": points[:1]}, {"N": 1}, {}), indices=[-1])


@pytest.mark.parametrize("K", [1, 7, 40])
def test_k_nearest_neighbors(K):
    points, queries = cloud(2, 40), cloud(2, 9)
    expected = [in_order(squared_distances(q, p))[:, :K] for q, p in zip(queries, points, strict=True)]
    result = oracle(DOMAIN, "k_nearest_neighbors")({"points": points, "queries": queries}, {"K": K}, {})
    agree(result, indices=expected)


def test_three_nearest_neighbors():
    known, unknown = cloud(2, 30), cloud(2, 12)
    distances = [squared_distances(u, k) for u, k in zip(unknown, known, strict=True)]
    indices = np.array([in_order(one)[:, :3] for one in distances])
    nearest = [np.sort(one)[:, :3] for one in distances]
    result = oracle(DOMAIN, "three_nearest_neighbors")({"unknown": unknown, "known": known}, {}, {})
    agree(result, squared_distances=nearest, indices=indices)


@pytest.mark.parametrize("squared_radius", [0.5, 9.5, 1000.5])
def test_ball_query(squared_radius):
    """No point, some, or all are near."""
    points, centres, K = cloud(2, 40), cloud(2, 9), 5
    points[0, points[0, :, 0] == centres[0, 0, 0]] += 1  # the first centre has none in its place
    expected = np.full((2, 9, K), -1.0)
    for b, m in product(range(2), range(9)):
        distances = squared_distances(centres[b, m : m + 1], points[b])[0]
        near = [n for n in range(40) if distances[n] < squared_radius][:K]
        expected[b, m] = [*near, *near[:1] * K][:K] if near else [-1] * K
    params = {"squared_radius": squared_radius}
    agree(oracle(DOMAIN, "ball_query")({"points": points, "centres": centres}, {"K": K}, params), indices=expected)
    assert (expected[0, 0] == -1).all() == (squared_radius == 0.5)


def test_chamfer_distance():
    """By all distances."""
    first, second = normal(3, 20, 3), normal(3, 31, 3)
    expected = []
    for some, others in zip(first, second, strict=True):
        distances = squared_distances(some, others)
        expected.append(distances.min(axis=1).mean() + distances.min(axis=0).mean())
    agree(oracle(DOMAIN, "chamfer_distance")({"first": first, "second": second}, {}, {}), distances=expected)


def test_group_points():
    features, indices = normal(2, 3, 16), RNG.integers(0, 16, (2, 4, 5)).astype(np.int32)
    expected = np.zeros((2, 3, 4, 5))
    for b, c, m, k in np.ndindex(expected.shape):
        expected[b, c, m, k] = features[b, c, indices[b, m, k]]
    agree(oracle(DOMAIN, "group_points")({"features": features, "indices": indices}, {}, {}), grouped=expected)


@pytest.mark.parametrize("largest", [2, 1000])
def test_furthest_point_sample_with_distance(largest):
    """Of a matrix that is not symmetric, with every choice from scratch. Of the diagonal nothing is used."""
    matrices, K = RNG.integers(0, largest + 1, (3, 25, 25)).astype(np.float32), 20
    expected = []
    for matrix in matrices.tolist():
        chosen = [0]
        while len(chosen) < K:
            nearest = {i: min(matrix[c][i] for c in chosen) for i in range(25) if i not in chosen}
            furthest = max(nearest, key=lambda i, nearest=nearest: (nearest[i], -i))
            chosen.append(furthest if nearest[furthest] > 0 else 0)
        expected.append(chosen)
    result = oracle(DOMAIN, "furthest_point_sample_with_distance")(
        {"distances": matrices}, {"B": 3, "N": 25, "K": K}, {}
    )
    agree(result, indices=expected)


def test_color_conversion():
    image, weights = RNG.random((4, 5, 3)).astype(np.float32), {"red": 0.299, "green": 0.587, "blue": 0.114}
    expected = np.zeros((4, 5))
    for i, j in np.ndindex(4, 5):
        expected[i, j] = sum(w * float(v) for w, v in zip(weights.values(), image[i, j], strict=True))
    agree(oracle(DOMAIN, "color_conversion")({"input": image}, {}, weights), output=expected)


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (8, 11)])
def test_sobel_edge_detection(shape):
    """By correlations in two dimensions of the image with its edge repeated."""
    image = (RNG.random(shape) * 255).astype(np.float32)
    padded = np.pad(image.astype(float), 1, mode="edge")
    across = np.outer([1, 2, 1], [-1, 0, 1])
    gx, gy = (scipy.signal.correlate2d(padded, weights, mode="valid") for weights in (across, across.T))
    expected = np.clip(np.sqrt(gx**2 + gy**2), None, 255)
    agree(oracle(DOMAIN, "sobel_edge_detection")({"input": image}, {}, {"limit": 255.0}), output=expected)
    if image.size > 50:
        assert 0 < (expected == 255).sum() < image.size


@pytest.mark.parametrize("size", [1, 3, 7])
def test_image_convolution(size):
    image, kernel = normal(6, 4, 3), normal(size, size)
    weights = kernel.astype(float)
    padded = np.pad(image.astype(float), [(size // 2, size // 2)] * 2 + [(0, 0)])
    channels = [scipy.signal.correlate2d(padded[:, :, c], weights, mode="valid") for c in range(3)]
    dims = {"kernel_size": size}
    result = oracle(DOMAIN, "image_convolution")({"input": image, "kernel": kernel}, dims, {})
    agree(result, output=np.stack(channels, axis=2))


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (7, 1), (5, 8)])
def test_image_scaling(shape):
    """By SciPy's interpolation of first order, at centres of pixels, with the edge repeated."""
    image = normal(*shape, 2)
    rows, cols = (3 * size // 2 for size in shape)
    y, x = np.meshgrid((np.arange(rows) + 0.5) * 2 / 3 - 0.5, (np.arange(cols) + 0.5) * 2 / 3 - 0.5, indexing="ij")
    channels = [
        scipy.ndimage.map_coordinates(image[:, :, c].astype(float), [y, x], order=1, mode="nearest") for c in range(2)
    ]
    dims = {"rows": shape[0], "cols": shape[1]}
    agree(oracle(DOMAIN, "image_scaling")({"input": image}, dims, {}), output=np.stack(channels, axis=2))


def test_image_rotate():
    """Clockwise: the first row becomes the last column."""
    image = normal(4, 6, 3)
    expected = np.zeros((6, 4, 3))
    for i, j in np.ndindex(4, 6):
        expected[j, 4 - 1 - i] = image[i, j]
    agree(oracle(DOMAIN, "image_rotate")({"input": image}, {}, {}), output=expected)


def test_bloom_post_process():
    """Pixel by pixel."""
    image, radius, threshold, highlight = RNG.integers(0, 256, (9, 7, 4)).astype(np.uint8), 2, 150, 2
    offsets = range(-radius, radius + 1)
    disc = [(m, n) for m, n in product(offsets, offsets) if m * m + n * n <= radius * radius]
    assert len(disc) == 13
    expected = image.astype(float)
    for i, j, c in product(range(9), range(7), range(3)):
        near = [int(image[i + m, j + n, c]) for m, n in disc if 0 <= i + m < 9 and 0 <= j + n < 7]
        total = sum(value for value in near if value >= threshold)
        expected[i, j, c] = min(255, int(image[i, j, c]) + highlight * total // len(disc))
    params = {"radius": radius, "threshold": threshold, "highlight": highlight}
    agree(oracle(DOMAIN, "bloom_post_process")({"input": image}, {}, params), output=expected)


GAUSSIAN = {"a0": 0.0423749499, "a1": -0.0297054369, "a2": 0.041830834, "a3": -0.0301914085}
GAUSSIAN |= {"b1": -1.68817353, "b2": 0.712482452, "forward": 0.521187842, "backward": 0.478812933}


def recursions(size, numerator, steady, params):
    """The matrix of a filter forwards, after an endless past of the first value. `numerator`: by how far back."""
    system = scipy.linalg.toeplitz([1, params["b1"], params["b2"], *[0] * size][:size], [1, *[0] * (size - 1)])
    inputs = np.zeros((size, size))
    for i, (back, factor) in product(range(size), numerator.items()):
        inputs[i, max(i - back, 0)] += factor
    inputs[0, 0] -= (params["b1"] + params["b2"]) * steady
    if size > 1:
        inputs[1, 0] -= params["b2"] * steady
    return scipy.linalg.solve(system, inputs)


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (2, 3), (20, 31)])
def test_recursive_gaussian(shape):
    """By matrices: each axis is multiplied by the solution of its recursions."""
    image = normal(*shape)
    p = GAUSSIAN
    both = []
    for size in shape:
        forwards = recursions(size, {0: p["a0"], 1: p["a1"]}, p["forward"], p)
        backwards = recursions(size, {1: p["a2"], 2: p["a3"]}, p["backward"], p)[::-1, ::-1]
        both.append(forwards + backwards)
    agree(
        oracle(DOMAIN, "recursive_gaussian")({"input": image}, {}, p), output=both[0] @ image.astype(float) @ both[1].T
    )


def test_stereo_disparity():
    """The cost of each shift at each pixel, term by term; many are equal."""
    left, right = RNG.integers(0, 3, (2, 4, 7)).astype(np.uint8)
    radius, shifts = 2, range(6)
    offsets = range(-radius, radius + 1)

    def cost(i, j, d):
        total = 0
        for m, n in product(offsets, offsets):
            row = min(max(i + m, 0), 3)
            in_left, in_right = (min(max(j + n - by, 0), 6) for by in (0, d))
            total += abs(int(left[row, in_left]) - int(right[row, in_right]))
        return total

    expected = [[min(shifts, key=lambda d, i=i, j=j: (cost(i, j, d), d)) for j in range(7)] for i in range(4)]
    params = {"radius": radius, "max_disparity": 5}
    agree(oracle(DOMAIN, "stereo_disparity")({"left": left, "right": right}, {}, params), disparity=expected)
    assert len(np.unique(expected)) > 3


def test_dynamic_voxelize():
    """In whole numbers; points lie on borders of voxels and of the range too."""
    params = {"range_xy": 64.0, "range_z": 16.0, "voxel_xy": 8.0, "voxel_z": 4.0}
    points = RNG.integers(-70, 71, (400, 5)).astype(np.float32)
    points[:, 2] = np.round(points[:, 2] / 4)
    points[::2] = np.round(points[::2] / 8) * 8
    expected = []
    for x, y, z, *_ in points.astype(int).tolist():
        inside = x in range(-64, 64) and y in range(-64, 64) and z in range(-16, 16)
        expected.append([(z + 16) // 4, (y + 64) // 8, (x + 64) // 8] if inside else [-1] * 3)
    agree(oracle(DOMAIN, "dynamic_voxelize")({"points": points}, {}, params), voxels=expected)
    assert 100 < expected.count([-1] * 3) < 300
