#include "compile/resource_usage.h"

#include <gtest/gtest.h>

#include <string>

namespace cudabench::compile {
namespace {

const std::string two_kernels = R"(a.cu(3): warning #177-D: variable "x" was declared but never referenced
ptxas info    : 24 bytes gmem, 8 bytes cmem[3]
ptxas info    : Compiling entry function '_Z5firstPf' for 'sm_80'
ptxas info    : Function properties for _Z5firstPf
    48 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 48 bytes cumulative stack size, 4096 bytes smem, 360 bytes cmem[0], 8 bytes cmem[2]
ptxas info    : Function properties for _Z6calledf
    512 bytes stack frame, 7 bytes spill stores, 7 bytes spill loads
ptxas info    : Compiling entry function '_Z6secondv' for 'sm_80'
ptxas info    : Function properties for _Z6secondv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4 registers, used 0 barriers
)";

TEST(ResourceUsage, IsReadForEachKernelAndNotForWhatItCalls) {
    const std::vector<KernelResources> kernels = kernels_in(two_kernels);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].name, "_Z5firstPf");
    EXPECT_EQ(kernels[0].registers, 255);
    EXPECT_EQ(kernels[0].shared_bytes, 4096);
    EXPECT_EQ(kernels[0].stack_bytes, 48);
    EXPECT_EQ(kernels[0].spill_stores, 16);
    EXPECT_EQ(kernels[0].spill_loads, 20);
    EXPECT_EQ(kernels[0].constant_bytes, 368);
    EXPECT_EQ(kernels[1].name, "_Z6secondv");
    EXPECT_EQ(kernels[1].registers, 4);
    EXPECT_EQ(kernels[1].shared_bytes, 0);
    EXPECT_EQ(kernels[1].stack_bytes, 0);
}

TEST(ResourceUsage, IsHiddenAndNothingElse) {
    EXPECT_EQ(without_resource_usage(two_kernels),
              "a.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n");
    EXPECT_EQ(without_resource_usage("no line break"), "no line break");
    EXPECT_EQ(without_resource_usage(""), "");
}

TEST(ResourceUsage, SurvivesAnyText) {
    EXPECT_TRUE(kernels_in("ptxas info    : Used registers, bytes smem\n    bytes stack frame\n").empty());
    EXPECT_EQ(kernels_in("ptxas info    : Compiling entry function '").size(), 1U);
}

} // namespace
} // namespace cudabench::compile
