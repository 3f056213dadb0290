"""NumPy statements of the tasks of signal processing, in double precision."""

from __future__ import annotations

import numpy as np

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
