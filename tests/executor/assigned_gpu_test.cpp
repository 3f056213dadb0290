#include "executor/gpu/assigned_gpu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace cudabench::gpu {
namespace {

const std::vector<std::string> two{"GPU-5e1f0000-0000-0000-0000-00000000000A",
                                   "GPU-77770000-0000-0000-0000-00000000000b"};

TEST(AssignedGpu, IsWhatCtestNames) {
    ::unsetenv("CTEST_RESOURCE_GROUP_0_GPUS");
    EXPECT_EQ(assigned_id(), std::nullopt);
    ::setenv("CTEST_RESOURCE_GROUP_0_GPUS", "id:1,slots:2", 1);
    EXPECT_EQ(assigned_id(), "1");
    ::setenv("CTEST_RESOURCE_GROUP_0_GPUS", "id:gpu_5e1f,slots:1;id:3,slots:1", 1);
    EXPECT_EQ(assigned_id(), "gpu_5e1f");
    ::unsetenv("CTEST_RESOURCE_GROUP_0_GPUS");
}

TEST(AssignedGpu, HasAnIdThatCtestAllows) {
    EXPECT_EQ(resource_id(two[0]), "gpu_5e1f0000_0000_0000_0000_00000000000a");
}

TEST(AssignedGpu, IsTheFirstByDefault) {
    EXPECT_EQ(choose_gpu(std::nullopt, two).value(), 0u);
}

TEST(AssignedGpu, IsFoundByNumberAndUuid) {
    EXPECT_EQ(choose_gpu("0", two).value(), 0u);
    EXPECT_EQ(choose_gpu("1", two).value(), 1u);
    EXPECT_EQ(choose_gpu(resource_id(two[1]), two).value(), 1u);
}

TEST(AssignedGpu, IsNeverAnotherThanTheAssignedOne) {
    for (const char* id : {"2", "-1", "01", "", "gpu_5e1f"}) {
        const auto chosen = choose_gpu(id, two);
        ASSERT_FALSE(chosen) << id;
        EXPECT_EQ(chosen.error().stage, Stage::fault);
        EXPECT_NE(chosen.error().message.find("doctor --resource-spec"), std::string::npos);
    }
}

} // namespace
} // namespace cudabench::gpu
