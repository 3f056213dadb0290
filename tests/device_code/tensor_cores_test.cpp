#include "device_code/tensor_cores.h"
#include "sample.h"

#include <gtest/gtest.h>

namespace cudabench::device_code {
namespace {

FatBinary binary(std::vector<int> cubins, std::vector<FatBinary::Ptx> ptx) {
    FatBinary made;
    for (const int architecture : cubins)
        made.kernels.emplace_back().architecture = architecture;
    made.ptx = std::move(ptx);
    return made;
}

bool may(const FatBinary& binary) {
    return may_use_tensor_cores(std::vector{binary});
}

TEST(TensorCores, AreUsedByTheirInstructionsAlone) {
    EXPECT_FALSE(may(binary({90}, {{90, "fma.rn.f32 %f1, %f2, %f3, %f4;"}})));
    for (const char* instruction :
         {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "tcgen05.mma.cta_group::1.kind::f16"})
        EXPECT_TRUE(may(binary({90}, {{90, instruction}}))) << instruction;
}

TEST(TensorCores, MayBeInCodeOfWhichThereIsNoPtx) {
    EXPECT_FALSE(may(binary({}, {})));
    EXPECT_TRUE(may(binary({90}, {})));
    EXPECT_TRUE(may(binary({90}, {{75, "fma"}}))) << "what is compiled for one architecture alone";
    EXPECT_TRUE(may(binary({75, 90}, {{90, "fma"}})));
    EXPECT_FALSE(may(binary({75, 90}, {{90, "fma"}, {75, "fma"}})));
    EXPECT_TRUE(may_use_tensor_cores(std::vector{binary({90}, {{90, "fma"}}), binary({90}, {{90, "mma.sync"}})}));
}

TEST(TensorCores, AreNotInWhatTheCompilerMakesWithoutThem) {
    for (const char* name : {"small.so", "default.so", "all.so"}) {
        const std::vector<std::byte> bytes = read_file(sample(name));
        const auto code = read_shared_object(bytes);
        ASSERT_TRUE(code);
        ASSERT_FALSE(code->empty());
        EXPECT_FALSE(may_use_tensor_cores(*code)) << name;
    }
}

} // namespace
} // namespace cudabench::device_code
