#include "watched_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cudabench::cpu {
namespace {

/// %rd0 and %rd1: the thread's element of `bytes` of input and output.
std::string elements(int bytes) {
    return fmt::format("mul.wide.u32 %rd2, %r1, {}; add.s64 %rd0, %in, %rd2; add.s64 %rd1, %out, %rd2;\n", bytes);
}

constexpr std::uint64_t setup_instructions = 6; // of watch_kernel()

TEST(Counts, OfAnAxpy) {
    const Watching run = watch_kernel(elements(4) + "ld.global.f32 %f0, [%rd0]; ld.global.f32 %f1, [%rd0+4096];"
                                                    "fma.rn.f32 %f2, %f0, %f1, %f0; st.global.f32 [%rd1], %f2;",
                                      3, 64);
    ASSERT_EQ(run.failure, "");
    constexpr std::uint64_t n = 3 * 64;
    EXPECT_EQ(run.counts.of(Quantity::fp32), 2 * n);
    EXPECT_EQ(run.counts.of(Quantity::fp64), 0U);
    EXPECT_EQ(run.counts.of(Quantity::int32), (2 + 3) * n); // mad is two; mul.wide and two additions
    EXPECT_EQ(run.counts.of(Quantity::thread_instructions), (setup_instructions + 3 + 4 + 1) * n);
    EXPECT_EQ(run.counts.of(Quantity::warp_instructions), (setup_instructions + 3 + 4 + 1) * n / 32);
    EXPECT_EQ(run.counts.of(Quantity::global_read_bytes), 8 * n);
    EXPECT_EQ(run.counts.of(Quantity::global_write_bytes), 4 * n);
    EXPECT_EQ(run.counts.of(Quantity::global_read_sectors), 8 * n / 32);
    EXPECT_EQ(run.counts.of(Quantity::unique_read_sectors), 8 * n / 32);
    EXPECT_EQ(run.counts.of(Quantity::global_write_sectors), 4 * n / 32);
    EXPECT_EQ(run.counts.of(Quantity::unique_write_sectors), 4 * n / 32);
    EXPECT_EQ(run.counts.of(Quantity::divergent_branches), 0U);
    EXPECT_EQ(run.counts.of(Quantity::shared_wavefronts), 0U);
}

TEST(Counts, AreTheSameOnSeveralHostThreads) {
    const std::string body =
        elements(4) + "ld.global.f32 %f0, [%in]; add.f32 %f0, %f0, %f0; st.global.f32 [%rd1], %f0;";
    const Watching one = watch_kernel(body, 40, 96);
    const Watching two = watch_kernel(body, 40, 96, {}, 2);
    EXPECT_EQ(one.failure + two.failure, "");
    EXPECT_EQ(one.counts, two.counts);
    EXPECT_EQ(one.counts.of(Quantity::unique_read_sectors), 1U);
    EXPECT_EQ(one.counts.of(Quantity::global_read_sectors), 40U * 3U);
}

TEST(Counts, SectorsThatAWarpScattersOver) {
    // 32 bytes apart and not aligned to them: words of 4 bytes at 30 + 32 i would be misaligned, so 28.
    const Watching apart = watch_kernel(elements(32) + "ld.global.b32 %r4, [%rd0+28];", 1, 32);
    EXPECT_EQ(apart.counts.of(Quantity::global_read_sectors), 32U);
    // 16 bytes for each thread: every sector for two.
    const Watching wide = watch_kernel(elements(16) + "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd0];", 1, 32);
    EXPECT_EQ(wide.counts.of(Quantity::global_read_sectors), 16U);
    EXPECT_EQ(wide.counts.of(Quantity::global_read_bytes), 512U);
    // Twice the same: unique sectors stay.
    const Watching twice = watch_kernel(elements(4) + "ld.global.b32 %r4, [%rd0]; ld.global.b32 %r4, [%rd0];", 1, 32);
    EXPECT_EQ(twice.counts.of(Quantity::global_read_sectors), 8U);
    EXPECT_EQ(twice.counts.of(Quantity::unique_read_sectors), 4U);
}

TEST(Counts, OperationsByTypeAndPipe) {
    const Watching run = watch_kernel("add.f64 %d0, %d0, %d0; fma.rn.f64 %d0, %d0, %d0, %d0;"
                                      "fma.rn.f16x2 %r4, %r0, %r0, %r0; add.f16x2 %r4, %r4, %r0;"
                                      "sqrt.rn.f32 %f0, %f0; ex2.approx.f32 %f0, %f0; div.rn.f32 %f0, %f0, %f0;"
                                      "max.f32 %f0, %f0, %f0; setp.lt.f32 %p, %f0, %f0; mov.f32 %f1, %f0;"
                                      "cvt.f64.f32 %d0, %f0; dp4a.s32.s32 %r4, %r0, %r0, %r0; popc.b32 %r4, %r4;",
                                      1, 32);
    ASSERT_EQ(run.failure, "");
    EXPECT_EQ(run.counts.of(Quantity::fp64), 32U * 3U);
    EXPECT_EQ(run.counts.of(Quantity::fp16), 32U * 6U);
    EXPECT_EQ(run.counts.of(Quantity::fp32), 32U);
    EXPECT_EQ(run.counts.of(Quantity::sfu), 32U * 3U);
    EXPECT_EQ(run.counts.of(Quantity::comparisons), 32U * 2U);
    EXPECT_EQ(run.counts.of(Quantity::int32), 32U * (2U + 8U + 1U));
}

TEST(Counts, OfTensorCores) {
    const std::string registers = "{%r4, %r5, %r6, %r7}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r4, %r5, %r6, %r7};";
    const Watching half =
        watch_kernel("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r4, %r5, %r6, %r7}, "
                     "{%r8, %r9}, {%f0, %f1, %f2, %f3};",
                     1, 64);
    EXPECT_EQ(half.failure, "");
    EXPECT_EQ(half.counts.of(Quantity::tensor_half), 2U * 2U * 16U * 8U * 16U); // two warps
    const Watching bytes = watch_kernel("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " + registers, 1, 32);
    EXPECT_EQ(bytes.failure, "");
    EXPECT_EQ(bytes.counts.of(Quantity::tensor_int8), 2U * 16U * 8U * 32U);
}

TEST(Counts, OfGuardedAndDivergentCode) {
    // Seven lanes of each warp add, by a guard and by a branch.
    const Watching guarded =
        watch_kernel("and.b32 %r4, %r0, 31; setp.lt.u32 %p, %r4, 7; @%p add.f32 %f0, %f0, %f0;", 1, 64);
    EXPECT_EQ(guarded.counts.of(Quantity::fp32), 14U);
    EXPECT_EQ(guarded.counts.of(Quantity::divergent_branches), 0U);
    const Watching branched = watch_kernel("and.b32 %r4, %r0, 31; setp.ge.u32 %p, %r4, 7; @%p bra DONE;"
                                           "add.f32 %f0, %f0, %f0; DONE: add.f32 %f0, %f0, %f0;",
                                           1, 64);
    EXPECT_EQ(branched.counts.of(Quantity::fp32), 14U + 64U);
    EXPECT_EQ(branched.counts.of(Quantity::divergent_branches), 2U);
    const Watching uniform = watch_kernel("setp.ge.u32 %p, %r0, 32; @%p bra DONE; add.f32 %f0, %f0, %f0; DONE:", 1, 64);
    EXPECT_EQ(uniform.counts.of(Quantity::fp32), 32U);
    EXPECT_EQ(uniform.counts.of(Quantity::divergent_branches), 0U);
}

/// Of one warp that stores words `stride` words apart.
std::uint64_t conflicts(int stride) {
    const Watching run = watch_kernel(
        fmt::format("mov.u32 %r4, s0; mad.lo.u32 %r4, %r0, {}, %r4; st.shared.b32 [%r4], %r0;", 4 * stride), 1, 32);
    EXPECT_EQ(run.failure, "");
    EXPECT_EQ(run.counts.of(Quantity::shared_write_bytes), 128U);
    EXPECT_EQ(run.counts.of(Quantity::shared_wavefronts), 1 + run.counts.of(Quantity::bank_conflicts));
    return run.counts.of(Quantity::bank_conflicts);
}

TEST(Counts, BankConflicts) {
    EXPECT_EQ(conflicts(1), 0U);
    EXPECT_EQ(conflicts(2), 1U);
    EXPECT_EQ(conflicts(3), 0U);
    EXPECT_EQ(conflicts(8), 7U);
    EXPECT_EQ(conflicts(32), 31U);
    EXPECT_EQ(conflicts(33), 0U);
    const auto stored = [](const char* body) {
        return watch_kernel(std::string("mov.u32 %r5, s0; mov.u64 %rd0, 0;") + body, 1, 32).counts;
    };
    // All lanes read one word: no conflict.
    const Counts same = stored("st.shared.b32 [%r5], 1; ld.shared.b32 %r4, [%r5];");
    EXPECT_EQ(same.of(Quantity::bank_conflicts), 0U);
    EXPECT_EQ(same.of(Quantity::shared_wavefronts), 2U);
    // Vectors side by side take as many wavefronts as they have 128 bytes.
    const Counts pairs = stored("mad.lo.u32 %r5, %r0, 8, %r5; st.shared.b64 [%r5], %rd0;");
    EXPECT_EQ(pairs.of(Quantity::shared_wavefronts), 2U);
    EXPECT_EQ(pairs.of(Quantity::bank_conflicts), 0U);
    const Counts vectors = stored("mad.lo.u32 %r5, %r0, 16, %r5; st.shared.v4.b32 [%r5], {%r0, %r0, %r0, %r0};");
    EXPECT_EQ(vectors.of(Quantity::shared_wavefronts), 4U);
    EXPECT_EQ(vectors.of(Quantity::bank_conflicts), 0U);
    const Counts apart = stored("mad.lo.u32 %r5, %r0, 32, %r5; st.shared.v4.b32 [%r5], {%r0, %r0, %r0, %r0};");
    EXPECT_EQ(apart.of(Quantity::bank_conflicts), 4U); // each quarter covers half of the banks twice
}

TEST(Counts, OfAtomics) {
    const Watching run =
        watch_kernel(elements(4) + "red.global.add.f32 [%in], %f0; atom.global.add.u32 %r4, [%rd0+64], 1;"
                                   "red.global.max.s32 [%rd0+64], %r4;",
                     1, 32);
    EXPECT_EQ(run.failure, "");
    EXPECT_EQ(run.counts.of(Quantity::atomics), 96U);
    EXPECT_EQ(run.counts.of(Quantity::fp32), 32U);
    EXPECT_EQ(run.counts.of(Quantity::int32), 32U * (2U + 3U + 2U));
}

TEST(Counts, HaveNames) {
    EXPECT_EQ(name(Quantity::fp32), "fp32");
    EXPECT_EQ(name(Quantity::bank_conflicts), "bank_conflicts");
    EXPECT_EQ(static_cast<std::size_t>(Quantity::bank_conflicts) + 1, quantity_count);
    EXPECT_EQ(name(Quantity::global_read_bytes), "global_read_bytes");
}

} // namespace
} // namespace cudabench::cpu
