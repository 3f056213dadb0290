#include "watched_kernel.h"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace cudabench::cpu {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* own_word = "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd0, %in, %rd2; add.s64 %rd1, %out, %rd2;"
                                 "mov.u32 %r4, s0; mad.lo.u32 %r4, %r0, 4, %r4;\n";

std::string found(const std::string& body, std::uint32_t blocks = 1, std::uint32_t threads = 64,
                  const Findings& findings = {}) {
    return watch_kernel(own_word + body, blocks, threads, findings).failure;
}

TEST(Uninitialised, ReadsAreFoundInEverySpace) {
    EXPECT_THAT(found("ld.global.b32 %r5, [%rd1];"),
                AllOf(HasSubstr("uninitialised read: of 4 bytes at 0x210000000000 in output"), HasSubstr("kernel k"),
                      HasSubstr("thread (0, 0, 0)")));
    EXPECT_THAT(found("ld.shared.b32 %r5, [%r4+256];"), HasSubstr("offset 0x100 of shared memory"));
    EXPECT_THAT(found("mov.u64 %rd3, l0; cvta.local.u64 %rd3, %rd3; ld.b32 %r5, [%rd3+8];"),
                HasSubstr("of local memory"));
    EXPECT_THAT(found("atom.global.add.u32 %r5, [%rd1], 1;"), HasSubstr("uninitialised read"));
}

TEST(Uninitialised, WrittenBytesMayBeRead) {
    EXPECT_THAT(found("ld.global.b32 %r5, [%rd0]; st.global.b32 [%rd1], %r5; ld.global.b32 %r5, [%rd1];"), IsEmpty());
    EXPECT_THAT(found("st.shared.b32 [%r4], %r0; bar.sync 0; ld.shared.b32 %r5, [%r4];"), IsEmpty());
    EXPECT_THAT(found("st.local.b32 [l0+8], %r0; ld.local.b32 %r5, [l0+8];"), IsEmpty());
    EXPECT_THAT(found("st.shared.b16 [%r4], 1; ld.shared.b32 %r5, [%r4];"), HasSubstr("nobody wrote byte 2"));
    EXPECT_THAT(found("ld.global.b32 %r5, [%rd1];", 1, 64, {.uninitialised = false}), IsEmpty());
}

TEST(Uninitialised, BytesThatALoadDoesNotUseDoNotMatter) {
    const std::string half = "mov.u32 %r4, s0; st.shared.b64 [%r4], 7; ";
    EXPECT_THAT(found(half + ".pragma \"used_bytes_mask 0xff\"; ld.shared.v4.b32 {%r5, %r6, %r7, %r8}, [%r4];", 1, 1),
                IsEmpty());
    EXPECT_THAT(found(half + "ld.shared.v4.b32 {%r5, %r6, %r7, %r8}, [%r4];", 1, 1), HasSubstr("nobody wrote byte 8"));
}

TEST(Races, InSharedMemoryAreFound) {
    const std::string other =
        "xor.b32 %r5, %r0, 32; mov.u32 %r6, s0; mad.lo.u32 %r6, %r5, 4, %r6;"; // of the other warp
    EXPECT_THAT(found(other + "st.shared.b32 [%r4], %r0; ld.shared.b32 %r7, [%r6];"), HasSubstr("uninitialised"));
    // Whichever warp comes first.
    EXPECT_THAT(
        found(other + "st.shared.b32 [%r4], %r0; ld.shared.b32 %r7, [%r6];", 1, 64, {.uninitialised = false}),
        AllOf(HasSubstr("race: "), HasSubstr("of 4 bytes at offset 0x"), HasSubstr("and nothing orders the two")));
    EXPECT_THAT(found(other + "st.shared.b32 [%r4], %r0; bar.sync 0; ld.shared.b32 %r7, [%r6];"), IsEmpty());
    EXPECT_THAT(
        found(other + "st.shared.b32 [%r4], %r0; bar.sync 0; ld.shared.b32 %r7, [%r6]; st.shared.b32 [%r4], %r7;"),
        HasSubstr("race: "));
    EXPECT_THAT(found(other + "st.shared.b32 [%r4], %r0; bar.sync 0; ld.shared.b32 %r7, [%r6]; bar.sync 0;"
                              "st.shared.b32 [%r4], %r7;"),
                IsEmpty());
    EXPECT_THAT(found("mov.u32 %r4, s0; st.shared.b32 [%r4], %r0;"), HasSubstr("race: write"));
    EXPECT_THAT(found("mov.u32 %r4, s0; st.shared.b32 [%r4], %r0;", 1, 64, {.races = false}), IsEmpty());
}

TEST(Races, WithinAWarpAreOrderedByItsBarriers) {
    const std::string other = "xor.b32 %r5, %r0, 1; mov.u32 %r6, s0; mad.lo.u32 %r6, %r5, 4, %r6;";
    EXPECT_THAT(found(other + "st.shared.b32 [%r4], %r0; ld.shared.b32 %r7, [%r6];", 1, 32), HasSubstr("race: read"));
    EXPECT_THAT(found(other + "st.shared.b32 [%r4], %r0; bar.warp.sync 0xffffffff; ld.shared.b32 %r7, [%r6];", 1, 32),
                IsEmpty());
    // All lanes read, one writes behind a barrier of the warp.
    EXPECT_THAT(found("mov.u32 %r4, s0; setp.eq.u32 %p, %r0, 0; @%p st.shared.b32 [%r4], 1; bar.warp.sync 0xffffffff;"
                      "ld.shared.b32 %r7, [%r4]; bar.warp.sync 0xffffffff; @%p st.shared.b32 [%r4], 2;",
                      1, 32),
                IsEmpty());
}

TEST(Races, OfEqualValuesAndOfAtomicsAreNone) {
    EXPECT_THAT(found("mov.u32 %r4, s0; st.shared.b32 [%r4], 7;"), IsEmpty());
    EXPECT_THAT(found("st.global.b32 [%out], 7;", 4), IsEmpty());
    EXPECT_THAT(found("atom.global.add.u32 %r5, [%in], 1;", 4), IsEmpty());
    EXPECT_THAT(found("atom.global.add.u32 %r5, [%in], 1; ld.global.b32 %r5, [%in];", 4), HasSubstr("race: read"));
    // Bytes of one word by different threads.
    EXPECT_THAT(found("cvt.u64.u32 %rd3, %r1; add.s64 %rd3, %out, %rd3; st.global.b8 [%rd3], %r1;", 4), IsEmpty());
}

/// Blocks have the same shared memory of the interpreter one after the other.
TEST(Races, AreNoneBetweenTheSharedMemoriesOfBlocks) {
    EXPECT_THAT(found("st.shared.b32 [%r4], %r1; ld.shared.b32 %r5, [%r4];", 8, 32), IsEmpty());
    EXPECT_THAT(found("st.shared.b32 [%r4], %r1; bar.sync 0; ld.shared.b32 %r5, [%r4];", 8, 64), IsEmpty());
    EXPECT_THAT(found("atom.shared.exch.b32 %r5, [%r4], %r1;", 8, 32, {.uninitialised = false}), IsEmpty());
}

TEST(Races, BetweenBlocksAreFound) {
    EXPECT_THAT(
        found("st.global.b32 [%out], %r2;", 4, 1),
        AllOf(HasSubstr("race: write of 4 bytes at 0x210000000000 in output"), HasSubstr("of block (0, 0, 0) wrote")));
    const std::string neighbour = "st.global.b32 [%rd0], %r1; ld.global.b32 %r5, [%rd0+4];";
    EXPECT_THAT(found(neighbour, 2, 1), HasSubstr("race: "));
    // A flag behind a fence orders: block 1 waits for block 0.
    const std::string handshake = "setp.ne.u32 %p, %r2, 0; @%p bra WAIT;"
                                  "st.global.b32 [%in+1024], 5; membar.gl; st.volatile.global.b32 [%in], 123; bra DONE;"
                                  "WAIT: ld.volatile.global.b32 %r5, [%in]; setp.ne.u32 %q, %r5, 123; @%q bra WAIT;"
                                  "membar.gl; ld.global.b32 %r6, [%in+1024]; DONE:";
    EXPECT_THAT(found(handshake, 2, 1), IsEmpty());
}

TEST(Barriers, WhereLanesOfAWarpMeetAtDifferentOnesAreDivergent) {
    EXPECT_THAT(found("setp.lt.u32 %p, %r0, 16; @%p bra FIRST; bar.sync 0; bra DONE; FIRST: bar.sync 0; DONE:"),
                HasSubstr("divergent barrier"));
    // Warps may.
    EXPECT_THAT(found("setp.lt.u32 %p, %r0, 32; @%p bra FIRST; bar.sync 0; bra DONE; FIRST: bar.sync 0; DONE:"),
                IsEmpty());
    // Lanes that returned are no fault.
    EXPECT_THAT(found("setp.lt.u32 %p, %r0, 16; @%p ret; bar.sync 0;"), IsEmpty());
}

TEST(Misaligned, AccessesAreFoundInEverySpace) {
    EXPECT_THAT(found("ld.global.b32 %r5, [%rd0+2];"), HasSubstr("misaligned address: read of 4 bytes"));
    EXPECT_THAT(found("st.shared.v2.b32 [%r4+4], {%r0, %r0};"), HasSubstr("misaligned address: write of 8 bytes"));
    EXPECT_THAT(found("st.local.b32 [l0+2], %r0;"), HasSubstr("misaligned address: write of 4 bytes"));
    EXPECT_THAT(found("atom.shared.add.u32 %r5, [%r4+1], 1;"), HasSubstr("misaligned address: atomic operation"));
}

} // namespace
} // namespace cudabench::cpu
