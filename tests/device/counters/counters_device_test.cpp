#include "counted_work.h"
#include "counters/self_test.h"
#include "executor/gpu/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace cudabench::counters {

/// GoogleTest's name for a parameter.
void PrintTo(const CountedWork& work, std::ostream* out) {
    *out << work.name;
}

namespace {

bool uses_tensor_cores(const CountedWork& work) {
    return std::ranges::any_of(work.operations, [](const auto& one) { return name(one.first).starts_with("tensor"); });
}

class CountersTest : public testing::Test {
protected:
    void SetUp() override {
        auto profiler = Profiler::create(executor_->device());
        if (!profiler)
            GTEST_SKIP() << profiler.error().message;
        profiler_ = std::move(*profiler);
    }

    static std::unique_ptr<gpu::Executor> created() {
        auto executor = gpu::Executor::create();
        if (!executor)
            throw std::runtime_error(executor.error().message);
        return std::move(*executor);
    }

    Counts count(const CountedWork& work) {
        const auto counts = profiler_->count({.prepare = [&] { cache_.sweep(); },
                                              .perform = [&]() -> Expected<Done, Failure> {
                                                  performer_.perform(work);
                                                  return Done{};
                                              },
                                              .tensor_cores = uses_tensor_cores(work)});
        if (!counts)
            throw std::runtime_error(counts.error().message);
        return *counts;
    }

    const std::unique_ptr<gpu::Executor> executor_ = created();
    const gpu::GpuLock::Exclusive alone_{executor_->lock()};
    const measure::ColdCache cache_{executor_->device()};
    const WorkPerformer performer_{executor_->device()};
    std::unique_ptr<Profiler> profiler_;
};

class CountersOf : public CountersTest, public testing::WithParamInterface<CountedWork> {};

TEST_P(CountersOf, AreWhatIsKnown) {
    const CountedWork& work = GetParam();
    const Counts counts = count(work);
    for (const Quantity quantity : {Quantity::fp32, Quantity::fp64, Quantity::tensor_tf32, Quantity::tensor_half,
                                    Quantity::tensor_fp64, Quantity::tensor_int8}) {
        const auto known = work.operations.find(quantity);
        EXPECT_EQ(counts.of(quantity), known == work.operations.end() ? 0 : known->second) << name(quantity);
    }
    // The compiler also makes constants by half-precision instructions, a few a thread.
    const auto half = work.operations.find(Quantity::fp16);
    EXPECT_GE(counts.of(Quantity::fp16), half == work.operations.end() ? 0 : half->second);
    // Tables of the memory management are read too, and what earlier work left in the L2 is written. A write may remain
    // there.
    constexpr double slack = 6e6;
    // What one kernel leaves there the next one need not read.
    const double l2 = executor_->device().attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    const double left = l2 * static_cast<double>(work.kernels.size() - 1);
    EXPECT_GE(counts.of(Quantity::dram_bytes_read), 0.98 * work.bytes_read - left);
    EXPECT_LE(counts.of(Quantity::dram_bytes_read), 1.05 * work.bytes_read + slack);
    EXPECT_GE(counts.of(Quantity::dram_bytes_write), 0.98 * work.bytes_written - l2);
    EXPECT_LE(counts.of(Quantity::dram_bytes_write), 1.05 * work.bytes_written + slack);
    EXPECT_GT(counts.of(Quantity::seconds), 1e-6);
    EXPECT_LT(counts.of(Quantity::seconds), 1);
}

INSTANTIATE_TEST_SUITE_P(Works, CountersOf, testing::ValuesIn(counted_works()),
                         [](const auto& work) { return work.param.name; });

/// What CUPTI keeps of a kernel must not be taken for another one's that is loaded later, at the same address: in few
/// loads that seldom shows.
TEST_F(CountersTest, PassTheSelfTestAgainAndAgain) {
    for (int i = 0; i < 200; ++i) {
        const auto wrong = self_test(*profiler_, executor_->device(), cache_);
        EXPECT_FALSE(wrong) << wrong->message;
    }
}

TEST_F(CountersTest, AreTheSameWithAndWithoutThoseOfTensorCores) {
    for (const bool tensor_cores : {false, true, false}) {
        const auto wrong = self_test(*profiler_, executor_->device(), cache_, tensor_cores);
        EXPECT_FALSE(wrong) << wrong->message;
    }
}

TEST_F(CountersTest, GiveTheFailureOfTheWork) {
    const auto counts =
        profiler_->count({.prepare = [] {},
                          .perform =
                              [] {
                                  return Expected<Done, Failure>(Failure{Stage::launch, "did not work"});
                              }});
    ASSERT_FALSE(counts);
    EXPECT_EQ(counts.error().message, "did not work");
    EXPECT_FALSE(self_test(*profiler_, executor_->device(), cache_)); // and can go on
}

} // namespace
} // namespace cudabench::counters
