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
