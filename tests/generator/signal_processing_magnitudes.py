"""What the references of signal processing compute as magnitudes, in NumPy."""

import numpy as np

U = 2.0**-24


def growth(terms):
    return np.sqrt(min(terms, 4096)) + np.log2(terms)


def doubles(inputs, *names):
    return (inputs[name].astype(float) for name in names)


def db4_wavelet(inputs):
    root = np.sqrt(3)
    low = np.abs([1 + root, 3 + root, 3 - root, 1 - root]) / np.sqrt(32)
    signal = np.abs(np.append(inputs["input"], inputs["input"][[-1, -1, -1]]).astype(float))
    parts = [signal[k : signal.size - 3 + k : 2] for k in range(4)]
    return np.concatenate([sum(h * part for h, part in zip(taps, parts, strict=True)) for taps in (low, low[::-1])])


def psnr(inputs):
    image, original = doubles(inputs, "image", "original")
    ratio = 1 / np.square(image - original).mean(axis=1)
    return 10 / np.log(10) + 4 * np.abs(10 * np.log10(ratio)) / growth(image.shape[1])


def fft_1d(inputs):
    signal = inputs["signal"].astype(float)
    norms = np.sqrt(np.square(signal).sum(axis=(1, 2), keepdims=True))
    return np.broadcast_to(np.log2(signal.shape[1]) * norms, signal.shape)


def power_spectrogram(inputs, dims):
    signal, window = doubles(inputs, "signal", "window")
    starts = np.arange(dims["frames"]) * dims["hop"]
    frames = signal[starts[:, None] + np.arange(window.size)] * window
    size = (1 + np.log2(window.size)) * np.linalg.norm(frames, axis=1, keepdims=True)
    return size * (2 * np.abs(np.fft.rfft(frames)) + 8 * U * size)


def iir_biquad(inputs):
    x, feedforward, feedback = doubles(inputs, "input", "feedforward", "feedback")
    D = np.zeros_like(x)

    def past(values, n, delay):
        return values[:, n - delay] if n >= delay else np.zeros(len(values))

    for section in range(feedback.shape[1]):
        b, a = feedforward[:, section].T, feedback[:, section].T
        y, E = np.zeros_like(x), np.zeros_like(x)
        for n in range(x.shape[1]):
            terms = [b[k] * past(x, n, k) for k in range(3)] + [-a[k] * past(y, n, k + 1) for k in range(2)]
            inherited = [abs(b[k]) * past(D, n, k) for k in range(3)] + [
                abs(a[k]) * past(E, n, k + 1) for k in range(2)
            ]
            y[:, n], E[:, n] = sum(terms), sum(np.abs(terms)) + sum(inherited)
        x, D = y, E
    return D


def cross_correlation(inputs, dims):
    a, b = doubles(inputs, "a", "b")
    sizes = []
    for lag in range(-dims["max_lag"], dims["max_lag"] + 1):
        products = a[max(0, -lag) : a.size - max(0, lag)] * b[max(0, lag) : b.size + min(0, lag)]
        sizes.append(abs(products.sum()) + np.linalg.norm(products))
    return np.array(sizes)


def polyphase_resample(inputs, dims):
    signal, taps = (np.abs(values) for values in doubles(inputs, "input", "taps"))
    raised = np.zeros(signal.size * dims["up"])
    raised[:: dims["up"]] = signal
    return np.convolve(raised, taps)[: raised.size : dims["down"]]


MAGNITUDES = {
    "db4_wavelet": db4_wavelet,
    "psnr": psnr,
    "fft_1d": fft_1d,
    "power_spectrogram": power_spectrogram,
    "iir_biquad": iir_biquad,
    "cross_correlation": cross_correlation,
    "polyphase_resample": polyphase_resample,
}
