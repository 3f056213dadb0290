#include "executor_fixture.h"
#include "measure/time_recipe.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <thread>

namespace cudabench::measure {
namespace {

using recipe::in_stream;
using recipe::launch;

class TimeRecipeTest : public gpu::ExecutorTest {
protected:
    Expected<Timing, Failure> time(const std::vector<recipe::Operation>& operations, const Around& around = {},
                                   gpu::Seconds limit = gpu::Seconds(20)) {
        return time_recipe(*executor_, conditions_, program_, recipe::Recipe{operations}, around, limit);
    }

    Timing timed(const std::vector<recipe::Operation>& operations, const Around& around = {}) {
        expect_performed(operations);
        auto timing = time(operations, around);
        if (!timing)
            throw std::runtime_error(timing.error().message);
        return *timing;
    }

    const Conditions conditions_{executor_->device()};
};

TEST_F(TimeRecipeTest, AKernelOfKnownDurationTakesThat) {
    for (const unsigned long long microseconds : {100ULL, 1000ULL, 30'000ULL}) {
        const Timing timing = timed({launch("last_for", 1, microseconds * 1000)});
        const double expected = static_cast<double>(microseconds) * 1e-6;
        fmt::print("{} us: {:.3f} us, spread {:.2e}, {} repetitions, {} warm-ups\n", microseconds, timing.seconds * 1e6,
                   timing.spread, timing.repetitions.size(), timing.warm_ups);
        EXPECT_GE(timing.seconds, expected - 2e-6);
        EXPECT_LT(timing.seconds, expected * 1.002 + 6e-6);
        EXPECT_TRUE(timing.graph);
        EXPECT_TRUE(timing.steady);
        EXPECT_FALSE(timing.host_gaps);
        EXPECT_LE(timing.low, timing.seconds);
        EXPECT_GE(timing.high, timing.seconds);
    }
}

TEST_F(TimeRecipeTest, ParallelStreamsCountOnceAndSeriesTwice) {
    const auto last = launch("last_for", 1, 500'000ULL);
    const recipe::CreateStream one{1, false};
    const recipe::CreateStream other{2, false};
    EXPECT_NEAR(timed({one, other, in_stream(1, last), in_stream(2, last)}).seconds, 500e-6, 20e-6);
    EXPECT_NEAR(timed({last, last}).seconds, 1000e-6, 20e-6);
    EXPECT_NEAR(
        timed({one, other, in_stream(1, last), recipe::RecordEvent{1, 1}, recipe::WaitEvent{2, 1}, in_stream(2, last)})
            .seconds,
        1000e-6, 20e-6);
}

TEST_F(TimeRecipeTest, AGraphDeliversWhatADirectPerformanceDelivers) {
    const std::uint64_t page = executor_->workspace().granularity;
    const recipe::Address scratch = executor_->workspace().base;
    gpu::ShapeBuffers buffers = this->buffers(64);
    const CUdeviceptr out = buffers.outputs()[0].address;
    const std::vector<float> data{5, 6};
    std::vector<std::byte> bytes(8);
    std::memcpy(bytes.data(), data.data(), 8);
    auto cooperative = launch("count_calls", 1, out + 8);
    cooperative.cooperative = true;
    const std::vector<recipe::Operation> operations{
        recipe::CreateStream{1, true},
        recipe::CreateStream{2, false},
        recipe::Allocate{scratch, page},
        recipe::Fill{0, out, 0, {64, 1}, 0},
        recipe::CopyToDevice{0, scratch, 0, {8, 1}, bytes},
        in_stream(1, launch("add_one", 1, scratch)),
        recipe::RecordEvent{1, 4},
        recipe::WaitEvent{2, 4},
        in_stream(2, launch("copy_one", 1, scratch, out)),
        recipe::Synchronize{recipe::Synchronize::Scope::stream, 2},
        recipe::CopyOnDevice{0, out + 4, scratch + 4, 8, 4, {4, 1}},
        cooperative,
        recipe::Release{scratch},
    };
    expect_performed(operations);
    const auto direct = read<std::uint32_t>(out, 16);
    EXPECT_EQ(std::bit_cast<float>(direct[0]), 6.0f);
    EXPECT_EQ(std::bit_cast<float>(direct[1]), 6.0f);
    EXPECT_EQ(direct[2], 1u);

    Around around;
    around.prepare = [&](unsigned count) {
        executor_->restart_recipe(program_, gpu::PoisonPattern::noise, count);
        buffers.poison_outputs(executor_->poison(), gpu::PoisonPattern::noise, count);
    };
    int compared = 0;
    around.after = [&](unsigned) {
        EXPECT_EQ(read<std::uint32_t>(out, 16), direct);
        ++compared;
    };
    const auto timing = time(operations, around);
    ASSERT_TRUE(timing) << timing.error().message;
    EXPECT_TRUE(timing->graph);
    EXPECT_EQ(compared, static_cast<int>(timing->repetitions.size()));
}

TEST_F(TimeRecipeTest, CallbacksComeInOrder) {
    std::vector<unsigned> prepared;
    std::vector<unsigned> seen;
    Around around;
    around.prepare = [&](unsigned count) { prepared.push_back(count); };
    around.after = [&](unsigned repetition) { seen.push_back(repetition); };
    const Timing timing = timed({launch("last_for", 1, 200'000ULL)}, around);
    EXPECT_EQ(seen.size(), timing.repetitions.size());
    EXPECT_EQ(prepared.size(), timing.repetitions.size() + timing.warm_ups);
    for (std::size_t i = 0; i < prepared.size(); ++i)
        EXPECT_EQ(prepared[i], i);
    for (std::size_t i = 0; i < seen.size(); ++i)
        EXPECT_EQ(seen[i], i);
}

TEST_F(TimeRecipeTest, AFaultInALaterRepetitionIsTheCandidates) {
    gpu::ShapeBuffers buffers = this->buffers(4);
    const std::vector<recipe::Operation> operations{
        launch("endless_from_the_fifth_call", 1, buffers.outputs()[0].address)};
    expect_performed(operations);
    const auto timing = time(operations, {}, gpu::Seconds(0.5));
    ASSERT_FALSE(timing);
    EXPECT_EQ(timing.error().stage, Stage::launch);
    EXPECT_EQ(timing.error().message,
              "device time limit of 0.5 s exceeded (endless kernel?), kernel endless_from_the_fifth_call");
}

TEST_F(TimeRecipeTest, AnInteractionIsTimedWithTheHostsGaps) {
    gpu::ShapeBuffers buffers = this->buffers(16);
    const CUdeviceptr out = buffers.outputs()[0].address;
    const std::vector<recipe::Operation> first{launch("last_for", 1, 200'000ULL)};
    const std::vector<recipe::Operation> second{launch("last_for", 1, 300'000ULL)};
    executor_->start_recipe(gpu::PoisonPattern::noise, 1);
    const auto timing = time_interaction(
        *executor_, conditions_, program_,
        [&](gpu::Performance& performance) -> Expected<Done, Failure> {
            std::this_thread::sleep_for(std::chrono::milliseconds(3)); // before the first operation: not counted
            if (const auto performed = performance.perform(first); !performed)
                return performed.error();
            if (const auto answer = performance.answer({0, out, 0, {16, 1}}); !answer)
                return answer.error();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            return performance.perform(second);
        },
        {}, gpu::Seconds(10));
    ASSERT_TRUE(timing) << timing.error().message;
    fmt::print("interaction {:.1f} us\n", timing->seconds * 1e6);
    EXPECT_GT(timing->seconds, 2.5e-3);
    EXPECT_LT(timing->seconds, 3.2e-3);
    EXPECT_TRUE(timing->host_gaps);
    EXPECT_FALSE(timing->graph);
}

/// Five measurements of the same recipe agree: the coefficient of variation is at most 1 % above 20 us.
TEST_F(TimeRecipeTest, MedianIsReproducible) {
    for (const int exponent : {16, 20, 22, 24, 26}) {
        const long long n = 1LL << exponent;
        gpu::ShapeBuffers buffers = this->buffers(4 * static_cast<std::uint64_t>(n));
        auto axpy = launch("axpy", 256, buffers.inputs()[0].address, buffers.outputs()[0].address, n);
        axpy.grid = {.x = static_cast<std::uint32_t>(n / 256)};
        std::vector<double> medians;
        Around around;
        around.prepare = [&](unsigned count) {
            buffers.poison_outputs(executor_->poison(), gpu::PoisonPattern::noise, count);
        };
        std::size_t repetitions = 0;
        const auto start = std::chrono::steady_clock::now();
        for (int turn = 0; turn < 5; ++turn) {
            const Timing timing = timed({axpy}, around);
            medians.push_back(timing.seconds);
            repetitions += timing.repetitions.size();
        }
        const gpu::Seconds cost = std::chrono::steady_clock::now() - start;
        double mean = 0;
        double variance = 0;
        for (const double median : medians)
            mean += median / 5;
        for (const double median : medians)
            variance += (median - mean) * (median - mean) / 4;
        const double variation = std::sqrt(variance) / mean;
        fmt::print("axpy 2^{}: {:.2f} us, {:.0f} GB/s, coefficient of variation {:.3f} %, {} repetitions, {:.0f} ms\n",
                   exponent, mean * 1e6, 12e-9 * static_cast<double>(n) / mean, 100 * variation, repetitions,
                   cost.count() * 1e3);
        EXPECT_LT(variation, mean > 20e-6 ? 0.01 : 0.05);
    }
}

} // namespace
} // namespace cudabench::measure
