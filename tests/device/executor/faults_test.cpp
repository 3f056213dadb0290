#include "driver/lost.h"
#include "executor_fixture.h"

#include <chrono>

namespace cudabench::gpu {
namespace {

using recipe::launch;

constexpr std::uint64_t count = 1000;

class FaultsTest : public ExecutorTest {};

TEST_F(FaultsTest, AWriteOnePastTheEndFaults) {
    ShapeBuffers buffers = this->buffers(count * 4);
    expect_illegal_access("store_at",
                          {launch("store_at", 1, buffers.outputs()[0].address, static_cast<long long>(count), 1.0f)});
}

TEST_F(FaultsTest, AReadOnePastTheEndFaults) {
    ShapeBuffers buffers = this->buffers(count * 4);
    expect_illegal_access("load_at", {launch("load_at", 1, buffers.inputs()[0].address, static_cast<long long>(count),
                                             buffers.outputs()[0].address)});
}

TEST_F(FaultsTest, AWriteBeforeTheStartFaults) {
    ShapeBuffers buffers = this->buffers(count * 4, Placement::at_start);
    expect_illegal_access("store_at", {launch("store_at", 1, buffers.outputs()[0].address, -1LL, 1.0f)});
}

TEST_F(FaultsTest, AStoreIntoAnInputFaults) {
    ShapeBuffers buffers = this->buffers(count * 4);
    expect_illegal_access("store_at", {launch("store_at", 1, buffers.inputs()[0].address, 0LL, 1.0f)});
}

TEST_F(FaultsTest, AnAtomicOnAnInputFaultsAlsoAfterTheHarnessWroteIt) {
    ShapeBuffers buffers = this->buffers(count * 4);
    const std::vector<float> values(count, 5.0f);
    {
        const WritableInputs writable(buffers);
        executor_->write(buffers.inputs()[0].address, std::as_bytes(std::span(values)));
    }
    expect_illegal_access("add_at", {launch("add_at", 1, buffers.inputs()[0].address, 0LL)});
}

TEST_F(FaultsTest, MemoryWithoutAccessFaults) {
    const Device& device = executor_->device();
    const driver::VirtualRange range(device.driver(), device.page_bytes());
    driver::Mapping pages(device.driver(), device.handle(), range.address(), range.bytes());
    ShapeBuffers buffers = this->buffers(4);
    const CUdeviceptr out = buffers.outputs()[0].address;
    expect_performed({launch("load_at", 1, pages.address(), 0LL, out)});
    pages.set_access(driver::Mapping::Access::none);
    expect_illegal_access("load_at", {launch("load_at", 1, pages.address(), 0LL, out)});
}

TEST_F(FaultsTest, WorkspaceThatWasNotAllocatedFaults) {
    const recipe::Address base = executor_->workspace().base;
    const recipe::Address page = executor_->workspace().granularity;
    expect_performed({recipe::Allocate{base, page}, launch("store_at", 1, base, 0LL, 1.0f)});
    expect_illegal_access("store_at", {recipe::Allocate{base, page}, launch("store_at", 1, base + page, 0LL, 1.0f)});
}

TEST_F(FaultsTest, MemoryOfTheLastRecipeIsGone) {
    const recipe::Address base = executor_->workspace().base;
    expect_performed({recipe::Allocate{base, 4}, launch("store_at", 1, base, 0LL, 1.0f)});
    expect_illegal_access("store_at", {launch("store_at", 1, base, 0LL, 1.0f)});
}

TEST_F(FaultsTest, AnEndlessKernelEndsAtTheLimit) {
    ShapeBuffers buffers = this->buffers(4);
    const auto start = std::chrono::steady_clock::now();
    const auto performed = perform({launch("_Z7endlessPVi", 1, buffers.outputs()[0].address)}, Seconds(0.5));
    const Seconds waited = std::chrono::steady_clock::now() - start;
    ASSERT_FALSE(performed);
    EXPECT_EQ(performed.error().stage, Stage::launch);
    EXPECT_EQ(performed.error().message, "device time limit of 0.5 s exceeded (endless kernel?), kernel _Z7endlessPVi");
    EXPECT_GE(waited.count(), 0.5);
    EXPECT_LT(waited.count(), 1.5);
    EXPECT_TRUE(driver::lost());
}

TEST_F(FaultsTest, AnEndlessKernelBeforeARefusedLaunchDoesNotRunOn) {
    ShapeBuffers buffers = this->buffers(4);
    const CUdeviceptr out = buffers.outputs()[0].address;
    const auto performed =
        perform({launch("_Z7endlessPVi", 1, out), launch("store_at", 2048, out, 0LL, 1.0f)}, Seconds(0.5));
    ASSERT_FALSE(performed);
    EXPECT_NE(performed.error().message.find("cudaErrorInvalidValue"), std::string::npos);
    EXPECT_TRUE(driver::lost());
}

TEST_F(FaultsTest, AnAbandonedPerformanceDoesNotRunOn) {
    ShapeBuffers buffers = this->buffers(4);
    const std::vector<recipe::Operation> operations{launch("_Z7endlessPVi", 1, buffers.outputs()[0].address)};
    {
        Performance performance = executor_->performance(program_, Seconds(0.5));
        ASSERT_TRUE(performance.perform(operations));
    }
    EXPECT_TRUE(driver::lost());
}

TEST_F(FaultsTest, ATooLargeLaunchIsNamedAndLosesNothing) {
    ShapeBuffers buffers = this->buffers(4);
    auto too_large = launch("store_at", 2048, buffers.outputs()[0].address, 0LL, 1.0f);
    const auto performed = perform({too_large});
    ASSERT_FALSE(performed);
    EXPECT_EQ(performed.error().stage, Stage::launch);
    EXPECT_NE(performed.error().message.find("CUDA error 1 (cudaErrorInvalidValue"), std::string::npos)
        << performed.error().message;
    EXPECT_FALSE(driver::lost());
    expect_performed({launch("store_at", 1, buffers.outputs()[0].address, 0LL, 1.0f)});
}

TEST_F(FaultsTest, ArgumentsOfOtherSizesAreRefusedBeforeTheDriverReadsThem) {
    ShapeBuffers buffers = this->buffers(4);
    EXPECT_THROW(static_cast<void>(perform({launch("store_at", 1, buffers.outputs()[0].address, 0, 1.0f)})),
                 std::logic_error);
    EXPECT_THROW(static_cast<void>(perform({launch("store_at", 1, buffers.outputs()[0].address)})), std::logic_error);
}

TEST_F(FaultsTest, ATrapIsNamed) {
    const auto performed = perform({launch("fail_assert", 1)});
    ASSERT_FALSE(performed);
    EXPECT_EQ(performed.error().stage, Stage::launch);
    EXPECT_NE(performed.error().message.find(", kernel fail_assert"), std::string::npos) << performed.error().message;
    EXPECT_TRUE(driver::lost());
}

} // namespace
} // namespace cudabench::gpu
