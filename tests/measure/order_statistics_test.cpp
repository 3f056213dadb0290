#include "measure/order_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace cudabench::measure {
namespace {

std::vector<double> one_to(std::size_t n) {
    std::vector<double> samples(n);
    std::iota(samples.begin(), samples.end(), 1.0);
    return samples;
}

struct Known {
    std::size_t n;
    double low; ///< of the samples 1 to n
    double high;
    double coverage;
};

/// Ranks and coverages by exact rational arithmetic: 1 - 2 sum C(n, i) / 2^n over i < k.
class KnownIntervals : public testing::TestWithParam<Known> {};

TEST_P(KnownIntervals, RanksAndCoverage) {
    const Known known = GetParam();
    std::vector<double> samples = one_to(known.n);
    std::ranges::shuffle(samples, std::mt19937(7));
    const MedianInterval interval = median_interval(samples);
    EXPECT_EQ(interval.low, known.low);
    EXPECT_EQ(interval.high, known.high);
    EXPECT_NEAR(interval.coverage, known.coverage, 1e-12);
    EXPECT_EQ(interval.median, (static_cast<double>(known.n) + 1) / 2);
}

INSTANTIATE_TEST_SUITE_P(Exact, KnownIntervals,
                         testing::Values(Known{3, 1, 3, 0.75}, Known{5, 1, 5, 0.9375}, Known{6, 1, 6, 0.96875},
                                         Known{11, 2, 10, 0.98828125}, Known{22, 6, 17, 0.9830994606018066},
                                         Known{44, 16, 29, 0.9512332340955254}, Known{88, 35, 54, 0.9577893883775959},
                                         Known{101, 41, 61, 0.9539559330706572}),
                         [](const auto& test) { return "Of" + std::to_string(test.param.n); });

TEST(MedianInterval, OneSampleCoversNothing) {
    const MedianInterval interval = median_interval(std::vector<double>{4.0});
    EXPECT_EQ(interval.median, 4.0);
    EXPECT_EQ(interval.low, 4.0);
    EXPECT_EQ(interval.high, 4.0);
    EXPECT_EQ(interval.coverage, 0.0);
}

TEST(MedianInterval, NoSampleIsRefused) {
    EXPECT_THROW(static_cast<void>(median_interval({})), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(relative_spread({})), std::invalid_argument);
}

TEST(MedianInterval, AStrayMeasurementMovesNothing) {
    std::vector<double> samples = one_to(11);
    samples.back() = 1e9;
    EXPECT_EQ(median_interval(samples).median, 6.0);
    EXPECT_EQ(median_interval(samples).high, 10.0);
}

/// The interval of 11 samples covers the true median as often as it claims, for a distribution with a long tail.
TEST(MedianInterval, CoversAsOftenAsItClaims) {
    std::mt19937_64 bits(20240229);
    std::exponential_distribution<double> tail(1.0);
    const double true_median = std::log(2.0);
    constexpr int trials = 20'000;
    int covered = 0;
    double claimed = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> samples(11);
        std::ranges::generate(samples, [&] { return tail(bits); });
        const MedianInterval interval = median_interval(samples);
        covered += interval.low <= true_median && true_median <= interval.high ? 1 : 0;
        claimed = interval.coverage;
    }
    const double sigma = std::sqrt(claimed * (1 - claimed) / trials);
    EXPECT_NEAR(static_cast<double>(covered) / trials, claimed, 5 * sigma);
}

TEST(RelativeSpread, QuartilesBetweenSamples) {
    // Of 1 2 4 8: quartiles 1.75 and 5, median 3. Of 1 2 3 4 5 7 10: 2.5 and 6, median 4.
    EXPECT_DOUBLE_EQ(relative_spread(std::vector<double>{8, 1, 4, 2}), 3.25 / 3);
    EXPECT_DOUBLE_EQ(relative_spread(std::vector<double>{5, 1, 4, 2, 10, 7, 3}), 3.5 / 4);
    EXPECT_DOUBLE_EQ(relative_spread(std::vector<double>{2, 2, 2}), 0.0);
}

} // namespace
} // namespace cudabench::measure
