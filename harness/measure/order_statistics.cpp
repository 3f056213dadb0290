#include "measure/order_statistics.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace cudabench::measure {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
    if (samples.empty())
        throw std::invalid_argument("statistics of no samples");
    std::vector<double> result(samples.begin(), samples.end());
    std::ranges::sort(result);
    return result;
}

/// Between the order statistics around position q (n - 1).
double quantile(std::span<const double> ascending, double q) {
    const double position = q * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    return std::lerp(ascending[below], ascending[above], position - static_cast<double>(below));
}

/// P(Binomial(n, 1/2) < k).
double binomial_below(std::size_t n, std::size_t k) {
    double probability = std::exp2(-static_cast<double>(n)); // of exactly 0
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) {
        sum += probability;
        probability *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    }
    return sum;
}

double coverage(std::size_t n, std::size_t k) {
    return 1 - 2 * binomial_below(n, k);
}

} // namespace

std::size_t median_interval_rank(std::size_t n, double confidence) {
    std::size_t k = 1;
    while (k + 1 <= (n + 1) / 2 && coverage(n, k + 1) >= confidence)
        ++k;
    return k;
}

MedianInterval median_interval(std::span<const double> samples, double confidence) {
    const std::vector<double> ascending = sorted(samples);
    const std::size_t n = ascending.size();
    const std::size_t k = median_interval_rank(n, confidence);
    return {.median = quantile(ascending, 0.5),
            .low = ascending[k - 1],
            .high = ascending[n - k],
            .coverage = std::max(0.0, coverage(n, k))};
}

double relative_spread(std::span<const double> samples) {
    const std::vector<double> ascending = sorted(samples);
    return (quantile(ascending, 0.75) - quantile(ascending, 0.25)) / quantile(ascending, 0.5);
}

} // namespace cudabench::measure
