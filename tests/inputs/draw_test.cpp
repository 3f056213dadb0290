#include "inputs/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace cudabench {
namespace {

using Kind = Distribution::Kind;

template <typename T>
std::vector<T> sample(const Distribution& distribution, Dtype dtype, std::size_t elements, std::uint64_t seed = 1) {
    std::vector<T> values(elements);
    generate_on_host(prepare_draw(distribution, dtype, seed, 0, elements), std::as_writable_bytes(std::span(values)));
    return values;
}

Distribution distribution(Kind kind, double a, double b) {
    Distribution values;
    values.kind = kind;
    values.a = a;
    values.b = b;
    return values;
}

TEST(Draw, UniformStaysBetweenItsBoundsWithDriftToo) {
    Distribution values = distribution(Kind::uniform, -3, 5);
    for (const bool drift : {false, true}) {
        values.drift = drift;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto drawn = sample<double>(values, Dtype::float64, 1000, seed);
            const auto [least, most] = std::ranges::minmax(drawn);
            EXPECT_GE(least, -3);
            EXPECT_LE(most, 5);
            EXPECT_GT(most - least, 8 * 0.2) << "a drifting uniform keeps at least a quarter of its width";
        }
    }
}

TEST(Draw, DriftMovesTheMeanWithTheSeed) {
    Distribution values = distribution(Kind::normal, 0, 1);
    values.drift = true;
    const auto mean = [&](std::uint64_t seed) {
        const auto drawn = sample<double>(values, Dtype::float64, 4000, seed);
        double sum = 0;
        for (const double value : drawn) {
            sum += value;
        }
        return sum / 4000;
    };
    std::vector<double> means;
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        means.push_back(mean(seed));
    }
    const auto [least, most] = std::ranges::minmax(means);
    EXPECT_GT(most - least, 0.5) << "without drift the means would lie within 0.1";
    EXPECT_LT(std::max(std::abs(least), std::abs(most)), 1.2);
}

TEST(Draw, NormalIsIrwinHallOfBoundedTail) {
    const auto drawn = sample<double>(distribution(Kind::normal, 10, 2), Dtype::float64, 100000);
    const auto [least, most] = std::ranges::minmax(drawn);
    EXPECT_GT(least, 10 - 2 * 4.9);
    EXPECT_LT(most, 10 + 2 * 4.9);
}

TEST(Draw, IntegersReachBothEndsOfEveryDtype) {
    const auto bytes = sample<std::uint8_t>(distribution(Kind::integer, 0, 255), Dtype::uint8, 10000);
    EXPECT_EQ(std::ranges::min(bytes), 0);
    EXPECT_EQ(std::ranges::max(bytes), 255);
    const auto coins = sample<std::int64_t>(distribution(Kind::integer, -1, 0), Dtype::int64, 100);
    EXPECT_EQ(std::ranges::min(coins), -1);
    EXPECT_EQ(std::ranges::max(coins), 0);
    const auto words = sample<std::int32_t>(distribution(Kind::integer, -0x1p31, 0x1p31 - 1), Dtype::int32, 10000);
    EXPECT_LT(std::ranges::min(words), -2140000000);
    EXPECT_GT(std::ranges::max(words), 2140000000);
    const auto wide = sample<std::int64_t>(distribution(Kind::integer, -0x1p63, 0x1p63), Dtype::int64, 10000);
    EXPECT_LT(std::ranges::min(wide), -9'200'000'000'000'000'000);
    EXPECT_GT(std::ranges::max(wide), 9'200'000'000'000'000'000);
}

TEST(Draw, AscendingValuesRunFromTheFirstBoundToTheLast) {
    for (const std::size_t elements : {2U, 3U, 4U, 7U, 256U, 1001U}) {
        for (const double most : {-5.0, -4.0, 0.0, 1000.0, 0x1p31 - 1}) {
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                const auto drawn =
                    sample<std::int32_t>(distribution(Kind::ascending, -5, most), Dtype::int32, elements, seed);
                EXPECT_EQ(drawn.front(), -5);
                EXPECT_EQ(drawn.back(), static_cast<std::int32_t>(most));
                EXPECT_TRUE(std::ranges::is_sorted(drawn));
            }
        }
    }
    const auto one = sample<std::int32_t>(distribution(Kind::ascending, -5, 7), Dtype::int32, 1);
    EXPECT_EQ(one.front(), -5);
    const auto wide = sample<std::int64_t>(distribution(Kind::ascending, -0x1p62, 0x1p62), Dtype::int64, 1000);
    EXPECT_TRUE(std::ranges::is_sorted(wide));
    EXPECT_EQ(wide.back(), std::int64_t{1} << 62);
}

TEST(Draw, AscendingValuesDifferWithSeedAndInput) {
    std::vector<std::vector<std::int32_t>> drawn;
    for (const std::uint64_t seed : {1U, 2U}) {
        for (const std::uint32_t input : {0U, 1U}) {
            std::vector<std::int32_t> one(256);
            generate_on_host(prepare_draw(distribution(Kind::ascending, 0, 1e6), Dtype::int32, seed, input, 256),
                             std::as_writable_bytes(std::span(one)));
            EXPECT_EQ(std::ranges::find(drawn, one), drawn.end());
            drawn.push_back(one);
        }
    }
}

TEST(Draw, RealValuesOfAWholeNumberDtypeAreRoundedAndKeptWithinIt) {
    const auto drawn = sample<std::uint8_t>(distribution(Kind::uniform, -500, 500), Dtype::uint8, 1000);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(drawn, 0)), 500, 80);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(drawn, 255)), 245, 70);
}

TEST(Draw, NeedlesMultiplyTheirShare) {
    Distribution values = distribution(Kind::integer, 1, 1);
    values.needle_probability = 0.25;
    values.needle_factor = 1000;
    const auto drawn = sample<float>(values, Dtype::float32, 10000);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(drawn, 1000.0F)), 2500, 250);
    EXPECT_EQ(std::ranges::count(drawn, 1000.0F) + std::ranges::count(drawn, 1.0F), 10000);
    values.needle_probability = 1;
    EXPECT_EQ(std::ranges::count(sample<float>(values, Dtype::float32, 1000), 1000.0F), 1000);
}

TEST(Draw, InputsSeedsAndIndexesAreUnrelated) {
    const auto values = distribution(Kind::integer, -0x1p31, 0x1p31 - 1);
    std::vector<std::vector<std::int32_t>> drawn;
    for (const std::uint64_t seed : {1U, 2U}) {
        for (const std::uint32_t input : {0U, 1U}) {
            std::vector<std::int32_t> one(256);
            generate_on_host(prepare_draw(values, Dtype::int32, seed, input, 256),
                             std::as_writable_bytes(std::span(one)));
            drawn.push_back(one);
        }
    }
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            EXPECT_NE(drawn[i], drawn[k]);
            EXPECT_FALSE(std::equal(drawn[i].begin() + 1, drawn[i].end(), drawn[k].begin())) << "shifted";
        }
    }
}

TEST(Draw, RefusesDistributionsWithoutValues) {
    const auto refused = [](Distribution values, Dtype dtype = Dtype::float32) {
        EXPECT_THROW((void)prepare_draw(values, dtype, 0, 0, 1), std::invalid_argument);
    };
    refused(distribution(Kind::uniform, 1, 0));
    refused(distribution(Kind::normal, 0, -1));
    refused(distribution(Kind::uniform, 0, INFINITY));
    refused(distribution(Kind::integer, 0.5, 2));
    refused(distribution(Kind::integer, 0, 256), Dtype::uint8);
    refused(distribution(Kind::integer, -1, 1), Dtype::uint32);
    Distribution needles;
    needles.needle_probability = 1.5;
    refused(needles);
    needles = distribution(Kind::ascending, 0, 9);
    needles.needle_probability = 0.5;
    refused(needles);
    refused(distribution(Kind::ascending, 9, 0));
    refused(distribution(Kind::ascending, 0, 9.5));
}

TEST(Draw, RefusesADestinationOfAnotherSize) {
    std::vector<std::byte> destination(15);
    EXPECT_THROW(generate_on_host(prepare_draw({}, Dtype::float32, 0, 0, 4), destination), std::invalid_argument);
}

TEST(Exact, UpperHalfOfAProduct) {
    constexpr std::uint64_t ones = ~std::uint64_t{0};
    EXPECT_EQ(exact::multiply_high(ones, ones), ones - 1); // (2^64 - 1)^2 = 2^128 - 2^65 + 1
    EXPECT_EQ(exact::multiply_high(std::uint64_t{1} << 63, 6), 3U);
    EXPECT_EQ(exact::multiply_high(0x123456789ABCDEF0, 0x0FEDCBA987654321), 0x0121FA00AD77D742U);
}

} // namespace
} // namespace cudabench
