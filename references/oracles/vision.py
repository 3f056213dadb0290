"""NumPy and SciPy statements of the tasks of computer vision, in double precision."""

from __future__ import annotations

import numpy as np
import scipy.ndimage
import scipy.signal
import scipy.spatial

Arrays = dict[str, np.ndarray]


def gaussian_blur(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    image = inputs["input"].astype(np.float64)
    kernel = inputs["kernel"].astype(np.float64)
    rows, cols = image.shape
    padded = np.pad(image, [(size // 2, size // 2) for size in kernel.shape])
    blurred = np.zeros_like(image)
    for (m, n), weight in np.ndenumerate(kernel):
        blurred += weight * padded[m : m + rows, n : n + cols]
    return {"output": blurred}


def furthest_point_sample(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    points = inputs["points"].astype(np.float64)
    clouds = np.arange(len(points))
    indices = np.zeros((len(points), dims["K"]))
    nearest = np.full(points.shape[:2], np.inf)
    for step in range(1, dims["K"]):
        last = points[clouds, indices[:, step - 1].astype(int)]
        nearest = np.minimum(nearest, ((points - last[:, None]) ** 2).sum(axis=2))
        indices[:, step] = nearest.argmax(axis=1)
    return {"indices": indices}


def _squared_distances(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Of each of `some` points from each of `others`."""
    return ((some[:, None].astype(np.float64) - others[None]) ** 2).sum(axis=2)


def nearest_neighbor(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    points = inputs["points"]
    if len(points) == 1:
        return {"indices": np.array([-1.0])}
    indices = np.zeros(len(points))
    for index, point in enumerate(points):
        distances = _squared_distances(point[None], points)[0]
        distances[index] = np.inf
        indices[index] = distances.argmin()
    return {"indices": indices}


def color_conversion(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    weights = np.array([params["red"], params["green"], params["blue"]])
    return {"output": inputs["input"].astype(np.float64) @ weights}


def sobel_edge_detection(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    image = inputs["input"].astype(np.float64)
    gx, gy = (scipy.ndimage.sobel(image, axis=axis, mode="nearest") for axis in (1, 0))
    return {"output": np.minimum(np.hypot(gx, gy), params["limit"])}


def image_convolution(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    weights = inputs["kernel"].astype(np.float64)[:, :, None]
    return {"output": scipy.ndimage.correlate(inputs["input"].astype(np.float64), weights, mode="constant")}


def image_scaling(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """By a matrix of weights for each axis."""
    weights = []
    for size in (dims["rows"], dims["cols"]):
        places = np.clip((np.arange(3 * size // 2) + 0.5) * 2 / 3 - 0.5, 0, size - 1)
        weights.append(np.maximum(0, 1 - np.abs(places[:, None] - np.arange(size))))
    image = inputs["input"].astype(np.float64)
    return {"output": np.einsum("yi,xj,ijc->yxc", *weights, image, optimize=True)}


def image_rotate(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"output": np.rot90(inputs["input"].astype(np.float64), k=-1).copy()}


def _nearest(queries: np.ndarray, points: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Squared distances and numbers of the nearest points of each query, in a batch."""
    nearest = np.zeros((2, *queries.shape[:2], number))
    for cloud, query in np.ndindex(queries.shape[:2]):
        distances = _squared_distances(queries[cloud, query][None], points[cloud])[0]
        order = np.argsort(distances, kind="stable")[:number]
        nearest[:, cloud, query] = distances[order], order
    return nearest[0], nearest[1]


def k_nearest_neighbors(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    return {"indices": _nearest(inputs["queries"], inputs["points"], dims["K"])[1]}


def three_nearest_neighbors(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    distances, indices = _nearest(inputs["unknown"], inputs["known"], 3)
    return {"squared_distances": distances, "indices": indices}


def ball_query(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    points, centres = inputs["points"], inputs["centres"]
    indices = np.full((*centres.shape[:2], dims["K"]), -1.0)
    for cloud, centre in np.ndindex(centres.shape[:2]):
        distances = _squared_distances(centres[cloud, centre][None], points[cloud])[0]
        near = np.flatnonzero(distances < params["squared_radius"])[: dims["K"]]
        if near.size:
            indices[cloud, centre] = near[0]
            indices[cloud, centre, : near.size] = near
    return {"indices": indices}


def chamfer_distance(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """By trees in space."""
    distances = np.zeros(len(inputs["first"]))
    for cloud in range(len(distances)):
        first, second = (inputs[name][cloud].astype(np.float64) for name in ("first", "second"))
        for some, others in ((first, second), (second, first)):
            distances[cloud] += (scipy.spatial.KDTree(others).query(some)[0] ** 2).mean()
    return {"distances": distances}


def group_points(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    clouds = zip(inputs["features"].astype(np.float64), inputs["indices"], strict=True)
    return {"grouped": np.stack([features[:, indices] for features, indices in clouds])}


def furthest_point_sample_with_distance(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    indices = np.zeros((dims["B"], dims["K"]))
    distances = inputs["distances"] * (1 - np.eye(dims["N"]))
    for matrix, chosen in zip(distances, indices, strict=True):
        for step in range(1, dims["K"]):
            chosen[step] = matrix[chosen[:step].astype(int)].min(axis=0).argmax()
    return {"indices": indices}


def bloom_post_process(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    image, radius = inputs["input"].astype(np.int64), int(params["radius"])
    places = np.arange(-radius, radius + 1)
    disc = (places[:, None] ** 2 + places**2 <= radius**2).astype(np.int64)
    bright = np.where(image >= params["threshold"], image, 0)
    sums = scipy.ndimage.correlate(bright, disc[:, :, None], mode="constant")
    glowing = np.minimum(255, image + int(params["highlight"]) * sums // disc.sum())
    return {"output": np.concatenate([glowing[..., :3], image[..., 3:]], axis=2).astype(np.float64)}


def recursive_gaussian(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    image = inputs["input"].astype(np.float64)
    denominator = [1, params["b1"], params["b2"]]

    def follow(lines: np.ndarray, numerator: list[float], steady: float) -> np.ndarray:
        """Along axis 1, after an endless past of the first value."""
        first = lines[:, :1]
        state = scipy.signal.lfiltic(numerator, denominator, [steady, steady], [1, 1])
        return scipy.signal.lfilter(numerator, denominator, lines, axis=1, zi=first * state)[0]

    for _ in range(2):
        forwards = follow(image, [params["a0"], params["a1"]], params["forward"])
        backwards = follow(image[:, ::-1], [0, params["a2"], params["a3"]], params["backward"])[:, ::-1]
        image = (forwards + backwards).T
    return {"output": image.copy()}


def stereo_disparity(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    left, right = (inputs[name].astype(np.int64) for name in ("left", "right"))
    window = np.ones(2 * int(params["radius"]) + 1, dtype=np.int64)
    radius, cols = int(params["radius"]), left.shape[1]
    places = np.arange(-radius, cols + radius)
    costs = []
    for shift in range(int(params["max_disparity"]) + 1):
        in_left, in_right = (np.clip(places - by, 0, cols - 1) for by in (0, shift))
        differences = np.abs(left[:, in_left] - right[:, in_right])
        sums = scipy.ndimage.correlate1d(differences, window, axis=0, mode="nearest")
        costs.append(np.lib.stride_tricks.sliding_window_view(sums, window.size, axis=1).sum(axis=2))
    return {"disparity": np.argmin(costs, axis=0).astype(np.float64)}


def dynamic_voxelize(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    points = inputs["points"][:, [2, 1, 0]].astype(np.float64)
    limits = np.array([params["range_z"], params["range_xy"], params["range_xy"]])
    voxels = np.floor((points + limits) / [params["voxel_z"], params["voxel_xy"], params["voxel_xy"]])
    inside = ((points >= -limits) & (points < limits)).all(axis=1, keepdims=True)
    return {"voxels": np.where(inside, voxels, -1.0)}
