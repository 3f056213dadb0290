#include "counters/self_test.h"
#include "executor/gpu/executor.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace cudabench::counters {
namespace {

std::unique_ptr<gpu::Executor> created() {
    auto executor = gpu::Executor::create();
    if (!executor)
        throw std::runtime_error(executor.error().message);
    return std::move(*executor);
}

} // namespace

/// What CUPTI keeps of a kernel must not be taken for another one's that is loaded later, at the same address.
TEST(Counters, OfKernelsThatAreLoadedAgainAndAgain) {
    const auto executor = created();
    const gpu::GpuLock::Exclusive alone(executor->lock());
    const measure::ColdCache cache(executor->device());
    const auto profiler = Profiler::create(executor->device());
    if (!profiler)
        GTEST_SKIP() << profiler.error().message;
    for (int load = 0; load < 200; ++load)
        ASSERT_FALSE(self_test(**profiler, executor->device(), cache)) << load;
}

} // namespace cudabench::counters
