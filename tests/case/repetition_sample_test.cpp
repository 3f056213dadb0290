#include "case/repetition_sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cudabench {
namespace {

/// The repetitions that are in the sample in the end.
std::vector<std::uint64_t> sampled(std::uint64_t seed, std::size_t size, std::uint64_t repetitions) {
    const RepetitionSample sample(seed, size);
    std::vector<std::uint64_t> places(size);
    for (std::uint64_t i = 0; i < repetitions; ++i)
        if (const auto place = sample.place(i))
            places.at(*place) = i;
    return places;
}

/// Each of n repetitions is among k verified ones with probability k/n (the mean of a binomial over many seeds), so a
/// candidate that does the work in half of them only passes with probability 2^-k.
TEST(RepetitionSample, EveryRepetitionIsAsLikelyAsEveryOther) {
    constexpr std::uint64_t repetitions = 44;
    constexpr std::size_t size = 8;
    constexpr int seeds = 20'000;
    std::vector<int> seen(repetitions);
    for (int seed = 0; seed < seeds; ++seed)
        for (const std::uint64_t repetition : sampled(static_cast<std::uint64_t>(seed) * 7919, size, repetitions))
            ++seen.at(repetition);
    const double probability = double{size} / repetitions;
    const double deviation = std::sqrt(seeds * probability * (1 - probability));
    for (std::uint64_t i = 0; i < repetitions; ++i)
        EXPECT_NEAR(seen[i], seeds * probability, 5 * deviation) << i;
}

TEST(RepetitionSample, AShortSeriesIsVerifiedWhole) {
    EXPECT_EQ(sampled(1, 4, 4), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(RepetitionSample, ItsMemoryIsBounded) {
    EXPECT_EQ(RepetitionSample::size_for(4), 8U);
    EXPECT_EQ(RepetitionSample::size_for(std::uint64_t{537} << 20), 7U);
    EXPECT_EQ(RepetitionSample::size_for(std::uint64_t{4} << 30), 4U);
}

} // namespace
} // namespace cudabench
