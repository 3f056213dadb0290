"""NumPy statements of the tasks of computer vision, in double precision."""

from __future__ import annotations

import numpy as np

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
