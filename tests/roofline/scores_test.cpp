#include "roofline/scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace cudabench::roofline {
namespace {

/// Round numbers: 100 TFLOP/s single, 50 double, 400 tensor (800 half), 4 T special functions, 20 T integers, 5 TB/s.
constexpr Peaks peaks{.fp32 = 100e12,
                      .fp64 = 50e12,
                      .tensor_tf32 = 400e12,
                      .tensor_fp16 = 800e12,
                      .sfu = 4e12,
                      .int32 = 20e12,
                      .bandwidth = 5e12,
                      .l2_bytes = 50e6};

TEST(Attainable, IsTheLongestOfMemoryAndPipes) {
    EXPECT_DOUBLE_EQ(attainable_seconds({}, peaks), 0);
    EXPECT_DOUBLE_EQ(attainable_seconds({.read_bytes = 4e9, .write_bytes = 1e9}, peaks), 1e-3);
    EXPECT_DOUBLE_EQ(attainable_seconds({.fp32 = 300e9, .read_bytes = 1e9}, peaks), 3e-3);
    EXPECT_DOUBLE_EQ(attainable_seconds({.fp32 = 100e9, .fp64 = 100e9, .read_bytes = 1e9}, peaks), 2e-3);
    EXPECT_DOUBLE_EQ(attainable_seconds({.fp32 = 100e9, .tensor = 1600e9}, peaks), 4e-3);
    EXPECT_DOUBLE_EQ(attainable_seconds({.fp32 = 100e9, .sfu = 20e9}, peaks), 5e-3);
    EXPECT_DOUBLE_EQ(attainable_seconds({.int32 = 120e9, .read_bytes = 1e9}, peaks), 6e-3);
}

Timed timed(const Work& performed, double seconds) {
    return {.performed = performed, .model = performed, .floor = {}, .seconds = seconds, .empty_seconds = 2e-6};
}

/// The paper's two limits: left of the ridge the score is achieved over peak bandwidth, right of it achieved over peak
/// operations.
TEST(Performance, IsAchievedOverPeakBandwidthForMemoryBoundWork) {
    const Work saxpy{.fp32 = 2e9, .read_bytes = 8e9, .write_bytes = 4e9};
    const double seconds = 3e-3;
    EXPECT_DOUBLE_EQ(score(timed(saxpy, seconds), peaks).performance, (12e9 / seconds) / 5e12);
}

TEST(Performance, IsAchievedOverPeakOperationsForComputeBoundWork) {
    const Work product{.fp32 = 2e12, .read_bytes = 1e9, .write_bytes = 1e9};
    const double seconds = 25e-3;
    EXPECT_DOUBLE_EQ(score(timed(product, seconds), peaks).performance, (2e12 / seconds) / 100e12);
}

/// The public pipeline computes F / min(P, (F / B) Bp) of rates F and B; that is max(F / P, B / Bp).
TEST(Performance, EqualsThePublicFormula) {
    for (const double flop : {1e9, 1e11, 2e11, 2.5e11, 1e12, 1e13}) {
        for (const double bytes : {1e8, 1e9, 1e10}) {
            const double seconds = 0.02;
            const double rate = flop / seconds;
            const double traffic = bytes / seconds;
            const double published = rate / std::min(peaks.fp32, rate / traffic * peaks.bandwidth);
            const double ours = score(timed({.fp32 = flop, .read_bytes = bytes}, seconds), peaks).performance;
            EXPECT_NEAR(ours, published, 1e-12 * published);
            EXPECT_NEAR(ours, std::max(rate / peaks.fp32, traffic / peaks.bandwidth), 1e-12 * published);
        }
    }
}

/// Useless stores: more traffic in more time. The measured-work score hardly falls, speed of light does.
TEST(SpeedOfLight, FallsWithWasteWherePerformanceHardlyDoes) {
    const Work model{.fp32 = 0.5e9, .read_bytes = 2.15e9, .write_bytes = 1.07e9};
    const Work wasteful{.fp32 = 0.5e9, .read_bytes = 2.15e9, .write_bytes = 3.22e9};
    Timed honest = timed(model, 0.88e-3);
    Timed waste{.performed = wasteful, .model = model, .floor = {}, .seconds = 1.54e-3, .empty_seconds = 2e-6};
    EXPECT_NEAR(score(honest, peaks).performance, 0.732, 0.001);
    EXPECT_NEAR(score(waste, peaks).performance, 0.697, 0.001);
    EXPECT_NEAR(score(honest, peaks).speed_of_light, 0.732, 0.001);
    EXPECT_NEAR(score(waste, peaks).speed_of_light, 0.418, 0.001);
}

TEST(SpeedOfLight, OfTinyWorkIsTheEmptyRecipeOverTheTime) {
    const Scores tiny = score(timed({.read_bytes = 5e3}, 8e-6), peaks); // T = 1 ns
    EXPECT_TRUE(tiny.launch_bound);
    EXPECT_DOUBLE_EQ(tiny.speed_of_light, 0.25);
    EXPECT_DOUBLE_EQ(tiny.performance, 1e-9 / 8e-6);
    EXPECT_DOUBLE_EQ(score(timed({.read_bytes = 5e3}, 1e-6), peaks).speed_of_light, 1);
    EXPECT_FALSE(score(timed({.read_bytes = 5e3}, 1e-6), peaks).beats_model) << "the empty recipe is no model";
}

TEST(SpeedOfLight, BeyondTheModelIsOneAndMarked) {
    const Scores beyond = score(timed({.read_bytes = 5e9}, 0.5e-3), peaks);
    EXPECT_DOUBLE_EQ(beyond.speed_of_light, 1);
    EXPECT_TRUE(beyond.beats_model);
    EXPECT_FALSE(beyond.implausible);
    EXPECT_FALSE(score(timed({.read_bytes = 5e9}, 1.5e-3), peaks).beats_model);
}

TEST(Floor, LeavesOutWritesThatTheL2Holds) {
    EXPECT_DOUBLE_EQ(floor_seconds({.read_bytes = 50e6, .write_bytes = 40e6}, peaks), 10e-6);
    EXPECT_DOUBLE_EQ(floor_seconds({.read_bytes = 50e6, .write_bytes = 100e6}, peaks), 20e-6);
}

TEST(Floor, LetsSinglePrecisionUseTheFastestPipe) {
    EXPECT_DOUBLE_EQ(floor_seconds({.fp32 = 800e9}, peaks), 1e-3);
}

TEST(Floor, FasterIsImplausible) {
    Timed copy = timed({.read_bytes = 5e9}, 0.999e-3);
    copy.floor = {.read_bytes = 5e9};
    EXPECT_TRUE(score(copy, peaks).implausible);
    copy.seconds = 1.001e-3;
    EXPECT_FALSE(score(copy, peaks).implausible);
}

TEST(Score, NeedsATime) {
    EXPECT_THROW((void)score(timed({}, 0), peaks), std::invalid_argument);
}

} // namespace
} // namespace cudabench::roofline
