"""What the references of computer vision compute as magnitudes, in NumPy."""

import numpy as np
import scipy.ndimage
import scipy.spatial.distance

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


def chamfer_distance(inputs):
    def distance(*clouds):
        squares = scipy.spatial.distance.cdist(*clouds, "sqeuclidean")
        return squares.min(axis=1).mean() + squares.min(axis=0).mean()

    return np.array([distance(*pair) for pair in zip(inputs["first"], inputs["second"], strict=True)])


def recursive_gaussian(inputs):
    """Coefficients for sigma = 10, from their formulas."""
    alpha = 0.1695
    e = np.exp(-alpha)
    k = (1 - e) ** 2 / (1 + 2 * alpha * e - e * e)

    def follow(lines, present, before, two_before):
        steady = (present + before + two_before) / (1 - e) ** 2
        x1 = x2 = lines[0]
        y1 = y2 = steady * x1
        results = []
        for x in lines:
            y2, y1 = y1, present * x + before * x1 + two_before * x2 + 2 * e * y1 - e * e * y2
            x2, x1 = x1, x
            results.append(y1)
        return np.array(results)

    image = np.abs(inputs["input"].astype(float))
    for _ in range(2):
        forwards = follow(image, k, k * (alpha - 1) * e, 0)
        backwards = follow(image[::-1], 0, k * (alpha + 1) * e, -k * e * e)[::-1]
        image = (forwards + backwards).T
    return image


MAGNITUDES = {
    "chamfer_distance": chamfer_distance,
    "recursive_gaussian": recursive_gaussian,
    "color_conversion": color_conversion,
    "sobel_edge_detection": sobel_edge_detection,
    "image_convolution": image_convolution,
    "image_scaling": image_scaling,
}
