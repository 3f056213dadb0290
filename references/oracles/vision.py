"""NumPy and SciPy statements of the tasks of computer vision, in double precision."""

from __future__ import annotations

import numpy as np
import scipy.ndimage

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
