#include "counters/self_test.h"

#include <gtest/gtest.h>

namespace cudabench::counters {
namespace {

constexpr KnownWork known{.fp32 = 8e6, .bytes_read = 4e6, .bytes_written = 4e6, .l2_bytes = 1e6};

Counts counts(double fp32, double read, double written) {
    return {{{Quantity::fp32, fp32}, {Quantity::dram_bytes_read, read}, {Quantity::dram_bytes_write, written}}};
}

TEST(SelfTest, AcceptsWhatIsRight) {
    EXPECT_FALSE(judge(counts(8e6, 4.1e6, 4.1e6), known));
    EXPECT_FALSE(judge(counts(8e6, 3.9e6, 2.9e6), known)); // a part is still in the L2
}

TEST(SelfTest, FindsOperationsThatWereNotCounted) {
    // A graph that was instantiated before: bytes right, operations none.
    const auto wrong = judge(counts(0, 4e6, 4e6), known);
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->stage, Stage::not_run);
    EXPECT_NE(wrong->message.find("counted 0 fp32 operations, 8e+06 are right"), std::string::npos) << wrong->message;
    EXPECT_TRUE(judge(counts(8e6 + 1, 4e6, 4e6), known));
}

TEST(SelfTest, FindsBytesThatAreWrong) {
    EXPECT_TRUE(judge(counts(8e6, 2e6, 4e6), known));
    EXPECT_TRUE(judge(counts(8e6, 4.3e6, 4e6), known));
    EXPECT_TRUE(judge(counts(8e6, 4e6, 2e6), known));
    EXPECT_TRUE(judge(counts(8e6, 4e6, 4.3e6), known));
}

TEST(SelfTest, SaysHowToAllowCounters) {
    const Failure failure =
        explain(CuptiError("cuptiRangeProfilerEnable", CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "whatever"));
    EXPECT_EQ(failure.stage, Stage::not_run);
    EXPECT_NE(failure.message.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
}

} // namespace
} // namespace cudabench::counters
