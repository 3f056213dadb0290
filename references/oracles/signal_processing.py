"""NumPy and SciPy statements of the tasks of signal processing, in double precision."""

from __future__ import annotations

import numpy as np
import scipy.signal

Arrays = dict[str, np.ndarray]


def fir_filter(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    signal = inputs["input"].astype(np.float64)
    filtered = np.zeros_like(signal)
    for delay, tap in enumerate(inputs["taps"].astype(np.float64)[: signal.size]):
        filtered[delay:] += tap * signal[: signal.size - delay]
    return {"output": filtered}


def haar_wavelet(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """By sums over whole blocks: a detail of level l is the first half of 2^l values less the second, over 2^(l/2)."""
    signal = inputs["input"].astype(np.float64)
    levels = dims["levels"]
    details = []
    for level in range(levels, 0, -1):
        halves = signal.reshape(-1, 2, 2 ** (level - 1)).sum(axis=2)
        details.append((halves[:, 0] - halves[:, 1]) / 2 ** (level / 2))
    approximation = signal.reshape(-1, 2**levels).sum(axis=1) / 2 ** (levels / 2)
    return {"output": np.concatenate([approximation, *details])}


def db4_wavelet(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    """The filter that solves Daubechies' equations: orthonormal, with two vanishing moments."""
    root = np.sqrt(3)
    low = np.array([1 + root, 3 + root, 3 - root, 1 - root]) / np.sqrt(32)
    high = low[::-1] * [1, -1, 1, -1]
    signal = np.pad(inputs["input"].astype(np.float64), (0, 3), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(signal, 4)[::2]
    return {"output": np.concatenate([windows @ low, windows @ high])}


def psnr(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    difference = inputs["image"].astype(np.float64) - inputs["original"]
    with np.errstate(divide="ignore"):
        return {"psnr": 20 * np.log10(params["peak"]) - 10 * np.log10((difference**2).mean(axis=1))}


def fft_1d(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    spectrum = np.fft.fft(inputs["signal"].astype(np.float64) @ [1, 1j])
    return {"spectrum": np.stack([spectrum.real, spectrum.imag], axis=2)}


def power_spectrogram(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    signal, window = (inputs[name].astype(np.float64) for name in ("signal", "window"))
    frames = np.lib.stride_tricks.sliding_window_view(signal, window.size)[:: dims["hop"]]
    return {"power": np.abs(np.fft.rfft(frames * window)) ** 2}


def iir_biquad(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    output = inputs["input"].astype(np.float64)
    feedforward, feedback = (inputs[name].astype(np.float64) for name in ("feedforward", "feedback"))
    for channel, section in np.ndindex(feedback.shape[:2]):
        denominator = [1, *feedback[channel, section]]
        output[channel] = scipy.signal.lfilter(feedforward[channel, section], denominator, output[channel])
    return {"output": output}


def cross_correlation(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    a, b = (inputs[name].astype(np.float64) for name in "ab")
    lags = range(-dims["max_lag"], dims["max_lag"] + 1)
    padded = np.pad(b, dims["max_lag"])
    return {"output": np.array([a @ padded[lag + dims["max_lag"] :][: a.size] for lag in lags])}


def polyphase_resample(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    signal, taps = (inputs[name].astype(np.float64) for name in ("input", "taps"))
    output = np.zeros(-(-signal.size * dims["up"] // dims["down"]))
    resampled = scipy.signal.upfirdn(taps, signal, dims["up"], dims["down"])[: output.size]
    output[: resampled.size] = resampled
    return {"output": output}


def median_filter(inputs: Arrays, dims: dict[str, int], params: dict[str, float]) -> Arrays:
    padded = np.pad(inputs["input"].astype(np.float64), dims["window_size"] // 2, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, dims["window_size"])
    return {"output": np.median(windows, axis=1)}
