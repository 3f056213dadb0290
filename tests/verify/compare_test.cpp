#include "verify/compare.h"
#include "verify/poison.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace cudabench::verify {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr Check one_ulp{.factor = 0, .ulps = 2}; // 2 u |y|
constexpr Check exactly{.exact = true};

const std::uint32_t poison = poison_word(1);

template <typename T>
Comparison compare(const Bound& bound, const std::vector<T>& got, const std::vector<T>& expected,
                   const std::vector<T>& magnitude = {}) {
    return compare_on_host(bound, {std::as_bytes(std::span(got)), std::as_bytes(std::span(expected)),
                                   std::as_bytes(std::span(magnitude))});
}

bool accepts(const Check& check, float got, float expected, float magnitude = 0) {
    return compare<float>(make_bound(check, Dtype::float32, 1, false, poison), {got}, {expected}, {magnitude}).passed();
}

TEST(Compare, AllowsWhatTheBoundSays) {
    EXPECT_TRUE(accepts(one_ulp, 1 + 0x1p-23F, 1));
    EXPECT_FALSE(accepts(one_ulp, 1 + 0x1p-22F, 1));
    const Check by_magnitude{.factor = 4, .ulps = 0}; // growth(1) = 1: 4 u A
    EXPECT_TRUE(accepts(by_magnitude, 4 * 0x1p-24F * 100, 0, 100));
    EXPECT_FALSE(accepts(by_magnitude, 4.01F * 0x1p-24F * 100, 0, 100));
    EXPECT_TRUE(accepts(by_magnitude, 4 * 0x1p-24F * 100, 0, -100)) << "of the magnitude only the size counts";
}

TEST(Compare, AllowsFlushedSubnormalsButNoMore) {
    EXPECT_TRUE(accepts(one_ulp, 0, 0x1p-127F));
    EXPECT_FALSE(accepts(one_ulp, 0, 0x1p-125F));
    EXPECT_FALSE(accepts(exactly, 0, 0x1p-127F));
}

TEST(Compare, NanIsNoWildcard) {
    for (const Check& check : {one_ulp, exactly, Check{.factor = 1e30}}) {
        EXPECT_TRUE(accepts(check, nan, nan));
        EXPECT_TRUE(accepts(check, -nan, nan)) << "all NaNs are one";
        EXPECT_FALSE(accepts(check, nan, 1, 1));
        EXPECT_FALSE(accepts(check, 1, nan, 1));
        EXPECT_FALSE(accepts(check, nan, infinity, 1));
    }
}

TEST(Compare, InfinitiesMatchInSignOnly) {
    const Check generous{.factor = 1e30};
    EXPECT_TRUE(accepts(generous, infinity, infinity));
    EXPECT_FALSE(accepts(generous, -infinity, infinity));
    EXPECT_FALSE(accepts(generous, infinity, std::numeric_limits<float>::max()));
    EXPECT_FALSE(accepts(generous, std::numeric_limits<float>::max(), infinity));
}

TEST(Compare, MagnitudeThatIsNotFiniteWidensNothing) {
    const Check check{.factor = 8, .ulps = 1};
    EXPECT_FALSE(accepts(check, 2, 1, infinity));
    EXPECT_FALSE(accepts(check, 2, 1, nan));
}

TEST(Compare, ZerosOfBothSignsAreOne) {
    EXPECT_TRUE(accepts(exactly, -0.0F, 0.0F));
}

TEST(Compare, ExactMeansTheLastBit) {
    EXPECT_FALSE(accepts(exactly, std::nextafter(1.0F, 2.0F), 1));
}

TEST(Compare, WholeNumbersExactly) {
    const auto differ = []<typename T>(T got, T expected, Dtype dtype) {
        return compare<T>(make_bound({.factor = 1e30}, dtype, 1, false, 0), {got}, {expected}).mismatches;
    };
    EXPECT_EQ(differ(std::int64_t{9007199254740993}, std::int64_t{9007199254740992}, Dtype::int64), 1U);
    EXPECT_EQ(differ(std::int64_t{9007199254740993}, std::int64_t{9007199254740993}, Dtype::int64), 0U);
    EXPECT_EQ(differ(std::int32_t{-1}, std::int32_t{0}, Dtype::int32), 1U);
    EXPECT_EQ(differ(std::uint8_t{255}, std::uint8_t{0}, Dtype::uint8), 1U);
}

TEST(Compare, DoublePrecisionHasItsOwnUnit) {
    const Bound bound = make_bound(one_ulp, Dtype::float64, 1, false, 0);
    EXPECT_TRUE(compare<double>(bound, {1 + 0x1p-52}, {1}).passed());
    EXPECT_FALSE(compare<double>(bound, {1 + 0x1p-30}, {1}).passed());
}

TEST(Compare, RootMeanSquareInUnits) {
    const Bound bound = make_bound({.factor = 100, .rms_factor = 2}, Dtype::float32, 4, false, 0); // unit 4 u A
    const float unit = 4 * 0x1p-24F * 2;
    const auto of = [&](float first, float second) { return compare<float>(bound, {first, second}, {0, 0}, {2, 2}); };
    EXPECT_NEAR(of(3 * unit, 4 * unit).rms, std::sqrt((9 + 16) / 2.0), 1e-12);
    EXPECT_TRUE(of(2 * unit, 1 * unit).passed());
    const Comparison rough = of(3 * unit, 4 * unit);
    EXPECT_EQ(rough.mismatches, 0U);
    EXPECT_FALSE(rough.passed());
    EXPECT_NE(describe(rough, "y", Dtype::float32).find("root mean square error 3.54 rounding units, at most 2"),
              std::string::npos);
}

TEST(Compare, CountsAndListsTheFirstThree) {
    const std::vector<float> expected(10, 0.5F);
    std::vector<float> got = expected;
    got[3] = 0.25F;
    got[5] = nan;
    got[7] = -infinity;
    got[9] = 0;
    const Comparison comparison = compare(make_bound(one_ulp, Dtype::float32, 1, false, poison), got, expected);
    EXPECT_EQ(comparison.total, 10U);
    EXPECT_EQ(comparison.mismatches, 4U);
    EXPECT_EQ(comparison.unwritten, 0U);
    EXPECT_EQ(comparison.worst_ratio, infinity);
    EXPECT_EQ(describe(comparison, "output", Dtype::float32),
              "4 of 10 elements of output differ, first: [3] expected 0.5 got 0.25 allowed 5.96e-08; [5] expected 0.5 "
              "got nan allowed 0; [7] expected 0.5 got -inf allowed 0");
    EXPECT_EQ(
        describe(compare<float>(make_bound(one_ulp, Dtype::float32, 1, false, poison), {1}, {1}), "y", Dtype::float32),
        "");
}

TEST(Compare, ShortestDigitsOfTheDtype) {
    const Comparison comparison = compare<float>(make_bound(exactly, Dtype::float32, 1, false, poison), {0.1F}, {0.3F});
    EXPECT_NE(describe(comparison, "y", Dtype::float32).find("expected 0.3 got 0.1 allowed 0"), std::string::npos);
}

TEST(Compare, PoisonIsNoAnswerEvenWhereNanIsExpected) {
    std::vector<float> got(8);
    fill_poison(std::as_writable_bytes(std::span(got)), poison);
    const Bound bound = make_bound(one_ulp, Dtype::float32, 1, false, poison);
    const Comparison never = compare(bound, got, std::vector<float>(8, nan));
    EXPECT_EQ(never.unwritten, 8U);
    EXPECT_EQ(describe(never, "y", Dtype::float32),
              "y was never written: all 8 elements hold what they were filled with before");
    for (std::size_t i = 0; i < 6; ++i) {
        got[i] = 1;
    }
    EXPECT_EQ(describe(compare(bound, got, std::vector<float>(8, 1.0F)), "y", Dtype::float32),
              "2 of 8 elements of y differ (2 never written), first: [6] expected 1 but never written; [7] expected 1 "
              "but never written");
}

TEST(Compare, SeesPoisonInEveryDtype) {
    const auto unwritten = []<typename T>(T zero, Dtype dtype) {
        const std::uint32_t word = poison_word(77);
        std::vector<T> got(1000);
        fill_poison(std::as_writable_bytes(std::span(got)), word);
        return compare(make_bound(exactly, dtype, 1, false, word), got, std::vector<T>(1000, zero)).unwritten;
    };
    EXPECT_EQ(unwritten(float{}, Dtype::float32), 1000U);
    EXPECT_EQ(unwritten(double{}, Dtype::float64), 1000U);
    EXPECT_EQ(unwritten(std::int32_t{}, Dtype::int32), 1000U);
    EXPECT_EQ(unwritten(std::uint32_t{}, Dtype::uint32), 1000U);
    EXPECT_EQ(unwritten(std::int64_t{}, Dtype::int64), 1000U);
    EXPECT_EQ(unwritten(std::uint8_t{}, Dtype::uint8), 1000U);
}

TEST(Compare, WholeNumberThatHappensToBeThePoisonIsRightWhereExpected) {
    const std::uint32_t word = poison_word(3);
    EXPECT_TRUE(compare<std::uint32_t>(make_bound(exactly, Dtype::uint32, 1, false, word), {word}, {word}).passed());
}

TEST(Compare, RefusesSizesThatDiffer) {
    const Bound bound = make_bound(exactly, Dtype::float32, 1, false, 0);
    EXPECT_THROW((void)compare<float>(bound, {1}, {1, 2}), std::invalid_argument);
    EXPECT_THROW((void)compare<float>(bound, {1}, {1}, {1, 2}), std::invalid_argument);
}

TEST(Compare, NothingToCompareIsRight) {
    EXPECT_TRUE(compare<float>(make_bound(exactly, Dtype::float32, 1, false, 0), {}, {}).passed());
}

} // namespace
} // namespace cudabench::verify
