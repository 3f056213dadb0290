#include "verify/bound.h"

#include <gtest/gtest.h>

namespace cudabench::verify {
namespace {

TEST(Growth, OfSums) {
    EXPECT_DOUBLE_EQ(growth(0), 1);
    EXPECT_DOUBLE_EQ(growth(1), 1);
    EXPECT_DOUBLE_EQ(growth(4), 2 + 2);
    EXPECT_DOUBLE_EQ(growth(4096), 64 + 12);
    EXPECT_DOUBLE_EQ(growth(0x1p24), 64 + 24);
}

TEST(Bound, OfSingleAndDoublePrecision) {
    const Check check{.factor = 8, .rms_factor = 2, .ulps = 3};
    const Bound single = make_bound(check, Dtype::float32, 4, false, 0);
    EXPECT_FALSE(single.exact);
    EXPECT_DOUBLE_EQ(single.magnitude_factor, 8 * 4 * 0x1p-24);
    EXPECT_DOUBLE_EQ(single.magnitude_unit, 4 * 0x1p-24);
    EXPECT_DOUBLE_EQ(single.value_factor, 3 * 0x1p-24);
    EXPECT_DOUBLE_EQ(single.smallest, 0x1p-126);
    EXPECT_DOUBLE_EQ(single.rms_limit, 2);
    const Bound twice = make_bound(check, Dtype::float64, 4, false, 0);
    EXPECT_DOUBLE_EQ(twice.magnitude_factor, 8 * 4 * 0x1p-53);
    EXPECT_DOUBLE_EQ(twice.smallest, 0x1p-1022);
}

TEST(Bound, ExactWhereAskedForIntegersAndWholeNumbers) {
    EXPECT_TRUE(make_bound({.exact = true}, Dtype::float32, 1, false, 0).exact);
    EXPECT_TRUE(make_bound({.factor = 8}, Dtype::int32, 1, false, 0).exact);
    const Check on_integers{.exact_on_integers = true, .factor = 8, .rms_factor = 2};
    EXPECT_FALSE(make_bound(on_integers, Dtype::float32, 1, false, 0).exact);
    const Bound second_seed = make_bound(on_integers, Dtype::float32, 1, true, 0);
    EXPECT_TRUE(second_seed.exact);
    EXPECT_EQ(second_seed.rms_limit, 0);
    EXPECT_FALSE(make_bound({.factor = 8}, Dtype::float32, 1, true, 0).exact);
}

} // namespace
} // namespace cudabench::verify
