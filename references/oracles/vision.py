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
