#include "counters/metrics.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace cudabench::counters {
namespace {

/// A quantity may be the sum of several metrics, and a metric have other names on other chips: of the rows of one
/// quantity and term the first whose metric the chip knows is taken.
struct Row {
    Quantity quantity;
    int term;
    double weight;
    std::string_view base;
    std::string_view rollup = ".sum";
};

// op_ffma2 and its like are packed instructions of compute capability 10.x, which op_ffma does not count.
// clang-format off
constexpr std::array<Row, 34> rows{{
    {Quantity::fp32, 0, 1, "smsp__sass_thread_inst_executed_op_fadd_pred_on"},
    {Quantity::fp32, 1, 1, "smsp__sass_thread_inst_executed_op_fmul_pred_on"},
    {Quantity::fp32, 2, 2, "smsp__sass_thread_inst_executed_op_ffma_pred_on"},
    {Quantity::fp32, 3, 2, "smsp__sass_thread_inst_executed_op_fadd2_pred_on"},
    {Quantity::fp32, 4, 2, "smsp__sass_thread_inst_executed_op_fmul2_pred_on"},
    {Quantity::fp32, 5, 4, "smsp__sass_thread_inst_executed_op_ffma2_pred_on"},
    {Quantity::fp64, 0, 1, "smsp__sass_thread_inst_executed_op_dadd_pred_on"},
    {Quantity::fp64, 1, 1, "smsp__sass_thread_inst_executed_op_dmul_pred_on"},
    {Quantity::fp64, 2, 2, "smsp__sass_thread_inst_executed_op_dfma_pred_on"},
    {Quantity::fp16, 0, 1, "smsp__sass_thread_inst_executed_op_hadd_pred_on"},
    {Quantity::fp16, 1, 1, "smsp__sass_thread_inst_executed_op_hmul_pred_on"},
    {Quantity::fp16, 2, 2, "smsp__sass_thread_inst_executed_op_hfma_pred_on"},
    {Quantity::tensor_tf32, 0, 1, "sm__ops_path_tensor_src_tf32_dst_fp32"},
    {Quantity::tensor_half, 0, 1, "sm__ops_path_tensor_src_fp16"},
    {Quantity::tensor_half, 0, 1, "sm__ops_path_tensor_src_fp16_dst_fp16"},
    {Quantity::tensor_half, 1, 1, "sm__ops_path_tensor_src_fp16_dst_fp32"},
    {Quantity::tensor_half, 1, 1, "sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32"},
    {Quantity::tensor_half, 2, 1, "sm__ops_path_tensor_src_bf16_dst_fp32"},
    {Quantity::tensor_fp64, 0, 1, "sm__ops_path_tensor_src_fp64"},
    {Quantity::tensor_int8, 0, 1, "sm__ops_path_tensor_src_int8"},
    {Quantity::tensor_narrow, 0, 1, "sm__ops_path_tensor_src_fp8"},
    {Quantity::tensor_narrow, 0, 1, "sm__ops_path_tensor_src_fp8_dst_fp32"},
    {Quantity::tensor_narrow, 0, 1, "sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32"},
    {Quantity::tensor_narrow, 1, 1, "sm__ops_path_tensor_src_fp8_dst_fp16"},
    {Quantity::tensor_narrow, 1, 1, "sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp16"},
    {Quantity::dram_bytes_read, 0, 1, "dram__bytes_read"},
    {Quantity::dram_bytes_read, 0, 1, "dram__bytes_op_read"},
    {Quantity::dram_bytes_write, 0, 1, "dram__bytes_write"},
    {Quantity::dram_bytes_write, 0, 1, "dram__bytes_op_write"},
    {Quantity::seconds, 0, 1e-9, "gpu__time_duration"},
    {Quantity::sm_hz, 0, 1, "sm__cycles_elapsed", ".avg.per_second"},
    {Quantity::dram_hz, 0, 1, "dram__cycles_elapsed", ".avg.per_second"},
    {Quantity::peak_ffma, 0, 1, "sm__sass_thread_inst_executed_op_ffma_pred_on", ".sum.peak_sustained"},
    {Quantity::peak_dram_bytes, 0, 1, "dram__bytes", ".sum.peak_sustained"},
}};
// clang-format on

bool of_tensor_cores(Quantity quantity) {
    switch (quantity) {
    case Quantity::tensor_tf32:
    case Quantity::tensor_half:
    case Quantity::tensor_fp64:
    case Quantity::tensor_int8:
    case Quantity::tensor_narrow: return true;
    default: return false;
    }
}

} // namespace

Metrics Metrics::resolve(const std::set<std::string, std::less<>>& base_metrics) {
    Metrics metrics;
    const Row* taken = nullptr;
    for (const Row& row : rows) {
        const bool resolved = taken != nullptr && taken->quantity == row.quantity && taken->term == row.term;
        if (resolved || !base_metrics.contains(row.base))
            continue;
        metrics.metrics_.push_back({std::string(row.base) + std::string(row.rollup), row.quantity, row.weight});
        taken = &row;
    }
    return metrics;
}

Metrics Metrics::without_tensor_cores() const {
    Metrics rest;
    rest.zero_ = zero_;
    for (const Metric& metric : metrics_)
        if (of_tensor_cores(metric.quantity))
            rest.zero_.insert(metric.quantity);
        else
            rest.metrics_.push_back(metric);
    return rest;
}

std::vector<const char*> Metrics::names() const {
    std::vector<const char*> names;
    for (const Metric& metric : metrics_)
        names.push_back(metric.name.c_str());
    return names;
}

bool Metrics::has(Quantity quantity) const {
    return std::ranges::find(metrics_, quantity, &Metric::quantity) != metrics_.end();
}

bool Metrics::complete() const {
    return has(Quantity::fp32) && has(Quantity::dram_bytes_read) && has(Quantity::dram_bytes_write) &&
           has(Quantity::seconds);
}

Counts Metrics::evaluate(std::span<const double> values) const {
    if (values.size() != metrics_.size())
        throw std::invalid_argument("counters: as many values as metrics are needed");
    Counts counts;
    for (const Quantity quantity : zero_)
        counts.values[quantity] = 0;
    for (std::size_t i = 0; i < metrics_.size(); ++i)
        counts.values[metrics_[i].quantity] += metrics_[i].weight * values[i];
    return counts;
}

} // namespace cudabench::counters
