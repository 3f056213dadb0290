#include "measure/repeat.h"

#include <gtest/gtest.h>

namespace cudabench::measure {
namespace {

TEST(Schedule, ShortWorkIsRepeatedMoreOften) {
    EXPECT_EQ(schedule(5e-6), (std::vector<unsigned>{11, 22, 44, 88}));
    EXPECT_EQ(schedule(0.020), (std::vector<unsigned>{11, 22, 44, 88}));
    EXPECT_EQ(schedule(0.021), (std::vector<unsigned>{5, 11, 22}));
    EXPECT_EQ(schedule(0.101), (std::vector<unsigned>{3, 5}));
}

} // namespace
} // namespace cudabench::measure
