#include "driver/driver.h"
#include "driver/lost.h"
#include "executor/gpu/performance.h"

#include <gtest/gtest.h>

namespace cudabench {
namespace {

using driver::DriverError;

TEST(DriverError, NamesFunctionAndBothNames) {
    const DriverError error("cuEventQuery", CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
                            "an illegal memory access was encountered");
    EXPECT_STREQ(error.what(), "cuEventQuery: CUDA error 700 (cudaErrorIllegalAddress / CUDA_ERROR_ILLEGAL_ADDRESS): "
                               "an illegal memory access was encountered");
    EXPECT_TRUE(driver::lost());
}

TEST(DriverError, AnErrorOfTheHostLosesNothing) {
    EXPECT_FALSE(driver::is_device_fault(CUDA_ERROR_INVALID_VALUE));
    EXPECT_FALSE(driver::is_device_fault(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES));
    EXPECT_TRUE(driver::is_device_fault(CUDA_ERROR_ASSERT));
    EXPECT_TRUE(driver::is_device_fault(CUDA_ERROR_MISALIGNED_ADDRESS));
}

TEST(CandidateFailure, NamesTheKernelShortly) {
    const DriverError error("cuEventQuery", CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered");
    const std::vector<std::string> one{"_Z5saxpyPfi"};
    EXPECT_EQ(gpu::candidate_failure(error, one).stage, Stage::launch);
    EXPECT_EQ(gpu::candidate_failure(error, one).message, "CUDA error 710 (cudaErrorAssert / CUDA_ERROR_ASSERT): "
                                                          "device-side assert triggered, kernel _Z5saxpyPfi");
    const std::vector<std::string> four{"a", "_Z1bv", "c", "d"};
    EXPECT_EQ(gpu::of_kernels(four), ", in one of the kernels a, _Z1bv, c, ...");
    EXPECT_EQ(gpu::of_kernels({}), "");
    const std::vector<std::string> bomb{"_Z1k" + std::string(4000, 'S')};
    EXPECT_EQ(gpu::of_kernels(bomb), ", kernel _Z1k" + std::string(196, 'S') + "...");
}

TEST(CandidateFailure, MemoryThatTheMachineLacksIsNoFaultOfTheCandidate) {
    const DriverError error("cuMemCreate", CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory");
    EXPECT_EQ(gpu::candidate_failure(error, {}).stage, Stage::fault);
}

TEST(Driver, LoadsOrSaysWhatItNeeds) {
    if (const auto driver = driver::load()) {
        int version = 0;
        (*driver)->cuDriverGetVersion(&version);
        EXPECT_GE(version, 12000);
    } else {
        EXPECT_EQ(driver.error().stage, Stage::not_run);
        EXPECT_EQ(driver.error().message.rfind("needs a GPU: ", 0), 0u) << driver.error().message;
    }
}

} // namespace
} // namespace cudabench
