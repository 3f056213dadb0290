#include "executor_fixture.h"
#include "measure/empty_recipe.h"
#include "measure/repeat.h"
#include "measure/time_recipe.h"

#include <fmt/format.h>

namespace cudabench::measure {
namespace {

using recipe::launch;

class ConditionsTest : public gpu::ExecutorTest {
protected:
    double timed(std::vector<recipe::Operation> operations) {
        expect_performed(operations);
        const auto timing =
            time_recipe(*executor_, conditions_, program_, recipe::Recipe{std::move(operations)}, {}, gpu::Seconds(10));
        EXPECT_TRUE(timing) << (timing ? "" : timing.error().message);
        return timing ? timing->seconds : 0;
    }

    const Conditions conditions_{executor_->device()};
};

TEST_F(ConditionsTest, TheClockIsOneThatTheGpuCanRunAt) {
    const double nominal = 1e3 * executor_->device().attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    for (int i = 0; i < 100; ++i)
        static_cast<void>(conditions_.clock.hertz());
    const double hertz = conditions_.clock.hertz();
    EXPECT_GT(hertz, 0.1 * nominal);
    EXPECT_LT(hertz, 1.02 * nominal);
    fmt::print("clock {:.1f} MHz of {:.1f} MHz\n", hertz * 1e-6, nominal * 1e-6);
}

/// A read of a third of the L2: the second of two comes from the cache, the first must not, however it was read before.
class ColdCacheTest : public ConditionsTest, public testing::WithParamInterface<const char*> {};

TEST_P(ColdCacheTest, OnlyTheFirstReadIsSlow) {
    const auto bytes =
        static_cast<std::uint64_t>(executor_->device().attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE) / 3 / 16 * 16);
    gpu::ShapeBuffers buffers = this->buffers(bytes);
    auto read = launch(GetParam(), 256, buffers.inputs()[0].address, static_cast<long long>(bytes / 16),
                       buffers.outputs()[0].address);
    read.grid = {.x = 1056};
    const double once = timed({read});
    const double twice = timed({read, read});
    const double thrice = timed({read, read, read});
    fmt::print("{}, {} MB: once {:.2f} us, twice {:.2f} us, thrice {:.2f} us\n", GetParam(), bytes >> 20, once * 1e6,
               twice * 1e6, thrice * 1e6);
    EXPECT_LT(thrice - twice, 0.7 * once);
    EXPECT_NEAR(thrice - twice, twice - once, 0.25 * once);
}

INSTANTIATE_TEST_SUITE_P(Reads, ColdCacheTest, testing::Values("read_all", "read_all_and_keep"),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(ConditionsTest, AnEmptyRecipeTakesAFewMicroseconds) {
    const auto timing = time_empty_recipe(*executor_, conditions_);
    ASSERT_TRUE(timing) << timing.error().message;
    fmt::print("empty recipe {:.3f} us, interval {:.3f} to {:.3f}, {} repetitions\n", timing->seconds * 1e6,
               timing->low * 1e6, timing->high * 1e6, timing->repetitions.size());
    EXPECT_GT(timing->seconds, 0.3e-6);
    EXPECT_LT(timing->seconds, 10e-6);
    EXPECT_TRUE(timing->graph);
}

} // namespace
} // namespace cudabench::measure
