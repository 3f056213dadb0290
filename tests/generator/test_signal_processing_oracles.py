"""Oracles of signal processing against second computations that share no code with them."""

import statistics

import numpy as np
import pytest
import scipy.linalg
import scipy.ndimage
import scipy.signal
from oracles import agree, oracle

DOMAIN = "signal_processing"
RNG = np.random.default_rng(32)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("N", [1, 2, 7, 64])
def test_db4_wavelet(N):
    """By convolution. The filter is (1 + z)^2, for two vanishing moments, times a line that makes it orthonormal."""
    line = np.array([1 + 3**0.5, 1 - 3**0.5])
    low = np.convolve([1, 2, 1], line) / np.sqrt(32)
    high = low[::-1] * [1, -1, 1, -1]
    signal = normal(N)
    padded = [*map(float, signal), *[float(signal[-1])] * 3]
    both = [scipy.signal.convolve(padded, taps[::-1], mode="valid")[::2] for taps in (low, high)]
    pairs = -(-N // 2)
    agree(
        oracle(DOMAIN, "db4_wavelet")({"input": signal}, {"N": N}, {}), output=np.concatenate([b[:pairs] for b in both])
    )


def test_db4_wavelet_of_a_line():
    """Details are zero, but at its end."""
    line = oracle(DOMAIN, "db4_wavelet")({"input": np.arange(64, dtype=np.float32)}, {"N": 64}, {})["output"]
    np.testing.assert_allclose(line[32:63], 0, atol=1e-12)


def test_psnr():
    image, original = RNG.random((2, 5, 301)).astype(np.float32)
    original[3] = image[3]
    image[4], original[4] = 0.75, 0.25  # the peak is twice the difference: 20 log10(2)
    squares = [
        statistics.fmean((x - y) ** 2 for x, y in zip(one.tolist(), other.tolist(), strict=True))
        for one, other in zip(image, original, strict=True)
    ]
    expected = [10 * np.log10(1 / mean) if mean else np.inf for mean in squares]
    assert expected[4] == pytest.approx(20 * np.log10(2))
    result = oracle(DOMAIN, "psnr")({"image": image, "original": original}, {"images": 5, "pixels": 301}, {"peak": 1.0})
    agree(result, psnr=expected)


@pytest.mark.parametrize("N", [1, 2, 8, 64])
def test_fft_1d(N):
    """By the matrix of the transform."""
    signal = normal(3, N, 2)
    matrix = scipy.linalg.dft(N)
    real, imaginary = (signal[..., part].astype(float) for part in (0, 1))
    spectrum = np.stack(
        [real @ matrix.real - imaginary @ matrix.imag, real @ matrix.imag + imaginary @ matrix.real], axis=2
    )
    agree(oracle(DOMAIN, "fft_1d")({"signal": signal}, {"batch": 3, "N": N}, {}), spectrum=spectrum)


@pytest.mark.parametrize(("frame", "hop"), [(1, 1), (2, 1), (16, 5), (16, 16)])
def test_power_spectrogram(frame, hop):
    """By SciPy's transform of overlapping frames, which scales by the sum of the window."""
    signal, window = normal(6 * hop + frame), RNG.uniform(0.1, 1, frame).astype(np.float32)
    _, _, spectrum = scipy.signal.stft(
        signal.astype(float),
        window=window.astype(float),
        nperseg=frame,
        noverlap=frame - hop,
        boundary=None,
        padded=False,
    )
    expected = np.abs(spectrum.T * window.astype(float).sum()) ** 2
    dims = {"frames": 7, "frame_size": frame, "hop": hop}
    agree(oracle(DOMAIN, "power_spectrogram")({"signal": signal, "window": window}, dims, {}), power=expected)


def test_iir_biquad():
    """By SciPy's sections, one channel after the other."""
    dims = {"channels": 4, "samples": 90, "sections": 3}
    signal, feedforward = normal(4, 90), RNG.uniform(-1, 1, (4, 3, 3)).astype(np.float32)
    feedback = RNG.uniform(-0.4, 0.4, (4, 3, 2)).astype(np.float32)
    expected = [
        scipy.signal.sosfilt(np.hstack([b, np.ones((3, 1)), a]).astype(float), one.astype(float))
        for one, b, a in zip(signal, feedforward, feedback, strict=True)
    ]
    inputs = {"input": signal, "feedforward": feedforward, "feedback": feedback}
    agree(oracle(DOMAIN, "iir_biquad")(inputs, dims, {}), output=expected)


@pytest.mark.parametrize(("N", "max_lag"), [(1, 3), (50, 10), (50, 60)])
def test_cross_correlation(N, max_lag):
    """By SciPy's correlation with all lags, by transforms."""
    a, b = normal(N), normal(N)
    every = scipy.signal.correlate(b.astype(float), a.astype(float), mode="full", method="fft")
    of_lag = dict(zip(scipy.signal.correlation_lags(N, N), every, strict=True))
    expected = [of_lag.get(lag, 0.0) for lag in range(-max_lag, max_lag + 1)]
    agree(oracle(DOMAIN, "cross_correlation")({"a": a, "b": b}, {"N": N, "max_lag": max_lag}, {}), output=expected)


@pytest.mark.parametrize(("N", "taps", "up", "down"), [(1, 3, 7, 2), (31, 60, 4, 3), (40, 9, 1, 5), (40, 9, 2, 2)])
def test_polyphase_resample(N, taps, up, down):
    """By its definition: zeros put in, filtered, and every down-th kept."""
    signal, coefficients = normal(N), normal(taps)
    raised = np.zeros(N * up)
    raised[::up] = signal
    filtered = scipy.signal.lfilter(coefficients.astype(float), [1.0], raised)
    dims = {"N": N, "num_taps": taps, "up": up, "down": down}
    result = oracle(DOMAIN, "polyphase_resample")({"input": signal, "taps": coefficients}, dims, {})
    agree(result, output=filtered[::down])


@pytest.mark.parametrize("window", [1, 3, 15, 101])
def test_median_filter(window):
    signal = np.round(normal(60) * 3)
    expected = scipy.ndimage.median_filter(signal, size=window, mode="nearest")
    agree(oracle(DOMAIN, "median_filter")({"input": signal}, {"N": 60, "window_size": window}, {}), output=expected)
