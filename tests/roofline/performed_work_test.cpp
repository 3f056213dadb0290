#include "roofline/performed_work.h"
#include "roofline/scores.h"

#include <gtest/gtest.h>

namespace cudabench::roofline {
namespace {

using counters::Quantity;

constexpr Peaks peaks{.fp32 = 100e12, .fp64 = 50e12, .tensor_tf32 = 400e12, .tensor_fp16 = 800e12, .bandwidth = 5e12};

const counters::Counts counts{{{Quantity::fp32, 3e9},
                               {Quantity::fp64, 5e9},
                               {Quantity::fp16, 7e9},
                               {Quantity::tensor_tf32, 4e9},
                               {Quantity::tensor_half, 8e9},
                               {Quantity::tensor_int8, 9e9},
                               {Quantity::dram_bytes_read, 2e9},
                               {Quantity::dram_bytes_write, 1e9}}};

TEST(PerformedWork, IsFp32AndBytes) {
    const Work work = performed_work(counts, {}, peaks);
    EXPECT_EQ(work.fp32, 3e9);
    EXPECT_EQ(work.read_bytes, 2e9);
    EXPECT_EQ(work.write_bytes, 1e9);
    EXPECT_EQ(work.fp64 + work.tensor + work.sfu + work.int32, 0);
    EXPECT_DOUBLE_EQ(attainable_seconds(work, peaks), 3e9 / 5e12);
}

TEST(PerformedWork, CountsWhatTheTaskAdmits) {
    // Half precision at twice the rate of TF32: 8e9 of it take as long as 4e9.
    EXPECT_EQ(performed_work(counts, {.tensor = true}, peaks).tensor, 4e9 + 4e9);
    EXPECT_EQ(performed_work(counts, {.fp64 = true}, peaks).fp64, 5e9);
}

TEST(PerformedWork, TakesHalfPrecisionAsItIsOnAGpuWithoutTf32) {
    Peaks turing = peaks;
    turing.tensor_tf32 = 0;
    const Work work = performed_work({{{Quantity::tensor_half, 8e9}}}, {.tensor = true}, turing);
    EXPECT_EQ(work.tensor, 8e9);
    EXPECT_DOUBLE_EQ(attainable_seconds(work, turing), 8e9 / 800e12);
}

} // namespace
} // namespace cudabench::roofline
