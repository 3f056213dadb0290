#include "counters/host_profiler.h"
#include "counters/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

namespace cudabench::counters {
namespace {

std::set<std::string, std::less<>> names_of(const Metrics& metrics) {
    std::set<std::string, std::less<>> names;
    for (const Metric& metric : metrics.all())
        names.insert(metric.name);
    return names;
}

// With a hypothetical chip.

TEST(Metrics, WeighAMultiplyAddAsTwoOperations) {
    const Metrics metrics = Metrics::resolve({"smsp__sass_thread_inst_executed_op_fadd_pred_on",
                                              "smsp__sass_thread_inst_executed_op_fmul_pred_on",
                                              "smsp__sass_thread_inst_executed_op_ffma_pred_on"});
    ASSERT_EQ(metrics.all().size(), 3U);
    const Counts counts = metrics.evaluate(std::array{3.0, 5.0, 7.0});
    EXPECT_EQ(counts.of(Quantity::fp32), 3 + 5 + 2 * 7);
}

TEST(Metrics, WeighPackedInstructionsByTheirTwoElements) {
    const Metrics metrics = Metrics::resolve(
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on", "smsp__sass_thread_inst_executed_op_fadd2_pred_on",
         "smsp__sass_thread_inst_executed_op_fmul2_pred_on", "smsp__sass_thread_inst_executed_op_ffma2_pred_on"});
    const Counts counts = metrics.evaluate(std::array{1.0, 10.0, 100.0, 1000.0});
    EXPECT_EQ(counts.of(Quantity::fp32), 2 * 1 + 2 * 10 + 2 * 100 + 4 * 1000);
}

TEST(Metrics, TakeOneOfTwoNamesForTheSameThing) {
    const Metrics metrics = Metrics::resolve({"dram__bytes_read", "dram__bytes_op_read"});
    EXPECT_EQ(names_of(metrics), (std::set<std::string, std::less<>>{"dram__bytes_read.sum"}));
}

TEST(Metrics, GiveSeconds) {
    const Metrics metrics = Metrics::resolve({"gpu__time_duration"});
    EXPECT_DOUBLE_EQ(metrics.evaluate(std::array{1500.0}).of(Quantity::seconds), 1.5e-6);
}

TEST(Metrics, RecordWhatAChipLacks) {
    const Metrics metrics = Metrics::resolve({"gpu__time_duration", "dram__bytes_read", "dram__bytes_write"});
    EXPECT_FALSE(metrics.complete()); // no operations
    const Counts counts = metrics.evaluate(std::array{1.0, 2.0, 3.0});
    EXPECT_FALSE(counts.has(Quantity::fp32));
    EXPECT_EQ(counts.lacking().size(), quantity_count - 3);
    EXPECT_EQ(counts.lacking().front(), Quantity::fp32);
}

TEST(Metrics, RefuseValuesThatAreNotTheirs) {
    EXPECT_THROW((void)Metrics::resolve({"gpu__time_duration"}).evaluate({}), std::invalid_argument);
}

TEST(Metrics, KnowThatWorkWithoutTensorCoresDoesNothingThere) {
    const Metrics all = Metrics::resolve({"smsp__sass_thread_inst_executed_op_fadd_pred_on",
                                          "sm__ops_path_tensor_src_tf32_dst_fp32", "sm__ops_path_tensor_src_int8"});
    const Metrics rest = all.without_tensor_cores();
    EXPECT_EQ(names_of(rest),
              (std::set<std::string, std::less<>>{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"}));
    const Counts counts = rest.evaluate(std::array{3.0});
    EXPECT_EQ(counts.of(Quantity::fp32), 3);
    EXPECT_TRUE(counts.has(Quantity::tensor_tf32));
    EXPECT_TRUE(counts.has(Quantity::tensor_int8));
    EXPECT_EQ(counts.of(Quantity::tensor_tf32), 0);
    EXPECT_FALSE(counts.has(Quantity::tensor_fp64)) << "which the chip cannot count";
    EXPECT_EQ(counts.lacking(), all.evaluate(std::array{3.0, 5.0, 7.0}).lacking());
    EXPECT_EQ(rest.without_tensor_cores().evaluate(std::array{3.0}).lacking(), counts.lacking());
}

// With every chip that CUPTI knows; needs no GPU.

class EveryChip : public testing::Test {
protected:
    void SetUp() override {
        const auto loaded = load();
        if (!loaded)
            GTEST_SKIP() << loaded.error().message;
        cupti_ = *loaded;
        // Without a driver this fails, and what needs none works all the same.
        CUpti_Profiler_Initialize_Params initialize{};
        initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
        cupti_->cuptiProfilerInitialize.result(&initialize);
    }

    const Cupti* cupti_ = nullptr;
};

/// Chips whose memory is that of a processor.
bool without_dram_counters(const std::string& chip) {
    return (std::set<std::string>{"GA10B", "GB10B", "GB20B"}).contains(chip);
}

/// All but one, which CUPTI 13.0 names but does not support.
std::vector<std::string> supported_chips(const Cupti& cupti) {
    std::vector<std::string> chips = HostProfiler::chips(cupti);
    std::erase(chips, "GV11B");
    return chips;
}

TEST_F(EveryChip, ResolvesToMetricsThatItAcceptsTogether) {
    const std::vector<std::string> chips = supported_chips(*cupti_);
    EXPECT_GE(chips.size(), 29U);
    for (const std::string& chip : chips) {
        SCOPED_TRACE(chip);
        HostProfiler host(*cupti_, chip);
        ASSERT_NO_THROW((void)host.config_image());
        EXPECT_GE(host.passes(), 1U);
        EXPECT_LE(host.passes(), 16U);
        HostProfiler plain(*cupti_, chip, false);
        EXPECT_LE(plain.passes(), host.passes());
        std::printf("%s: %zu metrics, %zu passes; without tensor cores %zu, %zu\n", chip.c_str(),
                    host.metrics().all().size(), host.passes(), plain.metrics().all().size(), plain.passes());
    }
}

TEST_F(EveryChip, CountsWhatScoresNeed) {
    for (const std::string& chip : supported_chips(*cupti_)) {
        SCOPED_TRACE(chip);
        const HostProfiler host(*cupti_, chip);
        EXPECT_EQ(host.metrics().complete(), !without_dram_counters(chip));
    }
}

TEST_F(EveryChip, CountsTf32FromAmpereOn) {
    for (const std::string& chip : supported_chips(*cupti_)) {
        SCOPED_TRACE(chip);
        const HostProfiler host(*cupti_, chip);
        EXPECT_EQ(host.metrics().has(Quantity::tensor_tf32), !chip.starts_with("GV") && !chip.starts_with("TU"));
    }
}

TEST_F(EveryChip, IsTakenByItsOwnNames) {
    const HostProfiler hopper(*cupti_, "GH100");
    EXPECT_TRUE(names_of(hopper.metrics()).contains("sm__ops_path_tensor_src_fp16.sum"));
    EXPECT_LE(HostProfiler(*cupti_, "GH100", false).passes(), 2U);
    const HostProfiler blackwell(*cupti_, "GB202");
    EXPECT_TRUE(names_of(blackwell.metrics()).contains("dram__bytes_op_read.sum"));
    const HostProfiler ada(*cupti_, "AD102");
    EXPECT_TRUE(names_of(ada.metrics()).contains("sm__ops_path_tensor_src_fp16_dst_fp32.sum"));
}

TEST_F(EveryChip, RefusesANameThatNoChipHas) {
    EXPECT_THROW(HostProfiler(*cupti_, "GX999"), CuptiError);
}

} // namespace
} // namespace cudabench::counters
