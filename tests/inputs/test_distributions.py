"""Inputs against an independent NumPy implementation, bit for bit, and against the distributions that they stand for.

Seeds are fixed; statistical tests reject at a significance of 1e-6.
"""

import os
import subprocess
from dataclasses import dataclass
from math import comb, factorial

import numpy as np
import pytest
from scipy import stats

ALPHA = 1e-6
DTYPES = [np.float32, np.float64, np.int32, np.uint32, np.int64, np.uint8]  # in the order of cudabench::Dtype
UNIFORM, NORMAL, INTEGER, ASCENDING = range(4)


@dataclass
class Input:
    kind: int
    a: float
    b: float
    drift: bool = False
    needle_probability: float = 0
    needle_factor: float = 1
    dtype: type = np.float64
    seed: int = 12345
    index: int = 0
    elements: int = 100_003

    def sample(self) -> np.ndarray:
        """What the harness draws."""
        words = [
            DTYPES.index(self.dtype),
            self.kind,
            repr(float(self.a)),
            repr(float(self.b)),
            int(self.drift),
            repr(self.needle_probability),
            repr(float(self.needle_factor)),
            self.seed,
            self.index,
            self.elements,
        ]
        program = os.environ["CUDABENCH_INPUTS_SAMPLE"]
        output = subprocess.run([program, *map(str, words)], check=True, capture_output=True).stdout
        return np.frombuffer(output, self.dtype)

    def blocks(self, indexes: np.ndarray, lane: int) -> np.ndarray:
        counter = np.zeros((4, len(indexes)), np.uint64)
        counter[0] = indexes & 0xFFFFFFFF
        counter[1] = indexes >> np.uint64(32)
        counter[2] = self.index
        counter[3] = lane
        return philox(counter, self.seed)

    def expected(self) -> np.ndarray:
        """What docs and headers say it should draw."""
        indexes = np.arange(self.elements, dtype=np.uint64)
        block = self.blocks(indexes, 0)
        if self.kind == INTEGER:
            word = [(int(high) << 32) | int(low) for low, high in zip(block[0], block[1], strict=True)]
            count = int(self.b) - int(self.a) + 1
            return np.array([int(self.a) + (w * count >> 64) for w in word], np.int64).astype(self.dtype)
        if self.kind == ASCENDING:
            return np.array(self.bisected(block), np.int64).astype(self.dtype)
        t = indexes.astype(np.float64) * (1 / self.elements)
        drift = self.blocks(np.zeros(1, np.uint64), 2)[:, 0].astype(np.float64) * 2.0**-32
        first, last = 0.5 + 1.5 * drift[0], 0.5 + 1.5 * drift[1]
        scale = first + (last - first) * t
        offset = drift[2] + (drift[3] - drift[2]) * t
        if self.kind == UNIFORM:
            relative = (((block[1] << np.uint64(32)) | block[0]) >> np.uint64(11)).astype(np.float64) * 2.0**-53
            if self.drift:
                half = scale * 0.5
                relative = offset * (1 - half) + relative * half
            width = self.b - self.a
        else:
            total = sum((word & np.uint64(0xFFFF)) + (word >> np.uint64(16)) for word in block)
            deviation = float(np.sqrt(np.float64(8 * (65536**2 - 1) / 12)))
            relative = (total.astype(np.int64) - 262140).astype(np.float64) * (1 / deviation)
            if self.drift:
                relative = (2 * offset - 1) + scale * relative
            width = self.b
        values = self.a + width * relative
        if self.needle_probability:
            needle = self.blocks(indexes, 1)[0] < np.uint64(self.needle_probability * 2**32)
            values = np.where(needle, values * self.needle_factor, values)
        if np.issubdtype(self.dtype, np.integer):
            limits = np.iinfo(self.dtype)
            return np.clip(np.rint(values), limits.min, limits.max).astype(self.dtype)
        return values.astype(self.dtype)

    def bisected(self, block: np.ndarray) -> list[int]:
        """All of them, from the whole to ever shorter stretches."""
        values = [int(self.a)] * self.elements
        values[-1] = int(self.b)
        stretches = [(0, self.elements - 1)]
        for first, last in stretches:  # which grows meanwhile
            if last - first > 1:
                middle = (first + last) // 2
                word = (int(block[1, middle]) << 32) | int(block[0, middle])
                distance = values[last] - values[first] + 1
                values[middle] = values[first] + ((2**62 + word // 2) * distance >> 64)
                stretches += [(first, middle), (middle, last)]
        return values


def philox(counter: np.ndarray, key: int) -> np.ndarray:
    """Philox4x32-10 after Salmon et al. (2011), on rows of 32-bit words in uint64."""
    low = np.uint64(0xFFFFFFFF)
    c0, c1, c2, c3 = counter
    k0, k1 = key & 0xFFFFFFFF, key >> 32
    for _ in range(10):
        p0, p1 = c0 * np.uint64(0xD2511F53), c2 * np.uint64(0xCD9E8D57)
        c0, c1, c2, c3 = (
            (p1 >> np.uint64(32)) ^ c1 ^ np.uint64(k0),
            p1 & low,
            (p0 >> np.uint64(32)) ^ c3 ^ np.uint64(k1),
            p0 & low,
        )
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return np.array([c0, c1, c2, c3])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("drift", [False, True])
@pytest.mark.parametrize("kind", [UNIFORM, NORMAL])
def test_real_values_have_the_bits_that_the_definition_gives(kind: int, drift: bool, dtype: type) -> None:
    drawn = Input(kind, 1.7, 90.3, drift, 0.01, 7.5, dtype, seed=0xFEDCBA9876543210, index=3, elements=10_007)
    np.testing.assert_array_equal(drawn.sample(), drawn.expected())


@pytest.mark.parametrize("dtype", DTYPES)
def test_whole_numbers_have_the_bits_that_the_definition_gives(dtype: type) -> None:
    drawn = Input(INTEGER, 3, 200, dtype=dtype, elements=10_007)
    np.testing.assert_array_equal(drawn.sample(), drawn.expected())


@pytest.mark.parametrize("elements", [2, 3, 5, 64, 65, 10_007])
@pytest.mark.parametrize(("a", "b"), [(0, 0), (3, 4), (-7, 100), (0, 2_000_000)])
def test_ascending_values_have_the_bits_that_the_definition_gives(a: int, b: int, elements: int) -> None:
    drawn = Input(ASCENDING, a, b, dtype=np.int32, seed=0xFEDCBA9876543210, index=2, elements=elements)
    np.testing.assert_array_equal(drawn.sample(), drawn.expected())


def test_lengths_between_ascending_values_are_uneven_and_favour_no_place() -> None:
    """Each halving multiplies by one of 2^14 independent shares, uniform from 1/4 to 3/4: log2 of a length has these
    moments, 14 times those of a share, whatever the place; some lengths are 0, some 30 times the mean."""
    halvings, mean = 14, 10_000
    offsets = Input(ASCENDING, 0, mean * 2**halvings, dtype=np.int64, elements=2**halvings + 1).sample()
    lengths = np.diff(offsets)
    share = 1 / 4 + (np.arange(1_000_000) + 0.5) / 2_000_000
    centre, spread = halvings * np.log(share / 0.5).mean(), np.sqrt(halvings) * np.log(share).std()
    logs = np.log(np.maximum(lengths, 1) / mean)
    assert abs(logs.mean() - centre) < 0.5 * spread, "neighbours have most shares in common"
    assert abs(logs.std() - spread) < 0.25 * spread
    assert lengths.min() >= 0
    assert lengths.max() > 15 * mean
    few = np.diff(Input(ASCENDING, 0, 8 * 2**halvings, dtype=np.int64, elements=2**halvings + 1).sample())
    assert (few == 0).mean() > 0.05


def test_uniform() -> None:
    assert stats.kstest(Input(UNIFORM, -3, 5).sample(), stats.uniform(-3, 8).cdf).pvalue > ALPHA


def test_normal_moments() -> None:
    """Irwin-Hall of eight: mean 0, deviation 1, skewness 0, excess kurtosis -6 / (5 x 8)."""
    values = Input(NORMAL, 2, 3).sample()
    standard = (values - 2) / 3
    n = len(standard)
    bound = stats.norm.isf(ALPHA / 2)
    assert abs(standard.mean()) < bound / np.sqrt(n)
    assert abs(standard.var() - 1) < bound * np.sqrt(2 / n)
    assert abs(stats.skew(standard)) < bound * np.sqrt(6 / n)
    assert abs(stats.kurtosis(standard) + 6 / 40) < bound * np.sqrt(24 / n)


def test_normal_is_irwin_hall() -> None:
    standard = Input(NORMAL, 0, 1).sample() * np.sqrt(8 / 12) + 4
    assert stats.kstest(standard, irwin_hall_8).pvalue > ALPHA


def irwin_hall_8(x: np.ndarray) -> np.ndarray:
    """Distribution function of the sum of eight uniforms."""
    x = np.clip(x, 0, 8)
    return sum((-1) ** k * comb(8, k) * np.maximum(x - k, 0) ** 8 for k in range(9)) / factorial(8)


def test_integers_are_equally_frequent() -> None:
    values = Input(INTEGER, -3, 9, dtype=np.int32).sample()
    assert stats.chisquare(np.bincount(values + 3, minlength=13)).pvalue > ALPHA


@pytest.mark.parametrize("kind", [UNIFORM, NORMAL])
def test_neighbours_are_uncorrelated(kind: int) -> None:
    values = Input(kind, 0, 1).sample()
    limit = stats.norm.isf(ALPHA / 2) / np.sqrt(len(values))
    for lag in (1, 2, 32, 256):
        assert abs(np.corrcoef(values[:-lag], values[lag:])[0, 1]) < limit


def test_share_of_needles() -> None:
    values = Input(UNIFORM, 1, 2, needle_probability=0.001, needle_factor=1000).sample()
    assert stats.binomtest(int((values > 500).sum()), len(values), 0.001).pvalue > ALPHA


def test_drift_is_linear_in_the_index() -> None:
    values = Input(NORMAL, 0, 1, drift=True, seed=5).sample()
    parts = np.array_split(values, 50)
    means, deviations = np.array([p.mean() for p in parts]), np.array([p.std() for p in parts])
    position = np.arange(50)
    for figures, error in ((means, deviations), (deviations, deviations / np.sqrt(2))):
        residual = figures - np.polyval(np.polyfit(position, figures, 1), position)
        assert np.sum((residual / (error / np.sqrt(len(parts[0])))) ** 2) < stats.chi2.isf(ALPHA, 48)
    assert abs(means[-1] - means[0]) > 0.1 or abs(deviations[-1] - deviations[0]) > 0.1
