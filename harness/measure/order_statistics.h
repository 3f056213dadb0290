#pragma once

#include <cstddef>
#include <span>

/// Statistics of samples that assume nothing of their distribution.
namespace cudabench::measure {

/// The median and an interval that covers the true median with probability `coverage`.
struct MedianInterval {
    double median = 0;
    double low = 0;
    double high = 0;
    double coverage = 0;
};

/// The k-th smallest and k-th largest sample, k as large as the coverage 1 - 2 P(Binomial(n, 1/2) < k) stays at least
/// `confidence`; the extremes, with their smaller coverage, where there are too few samples (fewer than 6 for 0.95).
/// Source: David and Nagaraja, Order Statistics, 3rd edition, section 7.1. At least one sample.
[[nodiscard]] MedianInterval median_interval(std::span<const double> samples, double confidence = 0.95);

/// The rank k of median_interval() for `n` samples, counted from 1, at least 1.
[[nodiscard]] std::size_t median_interval_rank(std::size_t n, double confidence);

/// Interquartile range over median, quartiles interpolated linearly between order statistics. At least one sample.
[[nodiscard]] double relative_spread(std::span<const double> samples);

} // namespace cudabench::measure
