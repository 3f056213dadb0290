"""What the references of computer vision compute as magnitudes, in NumPy."""

import numpy as np
import scipy.ndimage

RED, GREEN, BLUE = (float(np.float32(weight)) for weight in (0.299, 0.587, 0.114))


def color_conversion(inputs):
    return np.abs(inputs["input"].astype(float)) @ [RED, GREEN, BLUE]


def sobel_edge_detection(inputs):
    image = np.abs(inputs["input"].astype(float))
    across = np.array([[1.0, 0, 1], [2, 0, 2], [1, 0, 1]])
    return np.hypot(*(scipy.ndimage.correlate(image, weights, mode="nearest") for weights in (across, across.T)))


def image_convolution(inputs):
    image, weights = (np.abs(inputs[name].astype(float)) for name in ("input", "kernel"))
    return scipy.ndimage.correlate(image, weights[:, :, None], mode="constant")


def image_scaling(inputs):
    image = inputs["input"].astype(float)
    places = [np.clip((np.arange(3 * n // 2) + 0.5) * 2 / 3 - 0.5, 0, n - 1) for n in image.shape[:2]]
    firsts = [np.floor(place).astype(int) for place in places]
    seconds = [np.minimum(first + 1, n - 1) for first, n in zip(firsts, image.shape, strict=False)]
    p00, p01, p10, p11 = (image[np.ix_(y, x)] for y in (firsts[0], seconds[0]) for x in (firsts[1], seconds[1]))
    down = np.maximum(abs(p10 - p00), abs(p11 - p01))
    right = np.maximum(abs(p01 - p00), abs(p11 - p10))
    y, x = places[0][:, None, None], places[1][None, :, None]
    return np.abs([p00, p01, p10, p11]).max(axis=0) + (y + 1) * down + (x + 1) * right


MAGNITUDES = {
    "color_conversion": color_conversion,
    "sobel_edge_detection": sobel_edge_detection,
    "image_convolution": image_convolution,
    "image_scaling": image_scaling,
}
