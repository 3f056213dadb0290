#pragma once

#include "counters/cupti.h"
#include "counters/metrics.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace cudabench::counters {

/// The half of CUPTI's profiler that knows the chips: which metrics there are, how they are collected and evaluated. It
/// needs neither GPU nor driver. Functions throw CuptiError.
class HostProfiler {
public:
    /// Every chip that this CUPTI knows, as NVIDIA calls them: GV100, GH100 ...
    static std::vector<std::string> chips(const Cupti& cupti);

    /// For one chip: its metrics resolved, for work with or without tensor cores.
    HostProfiler(const Cupti& cupti, std::string chip, bool tensor_cores = true);
    ~HostProfiler();
    HostProfiler(const HostProfiler&) = delete;
    HostProfiler& operator=(const HostProfiler&) = delete;

    [[nodiscard]] const std::string& chip() const noexcept { return chip_; }
    [[nodiscard]] const Metrics& metrics() const noexcept { return metrics_; }
    /// How a GPU is to be told to count the metrics; made at the first call.
    [[nodiscard]] std::span<const std::uint8_t> config_image();
    /// How often the work must be performed for all metrics.
    [[nodiscard]] std::size_t passes();
    /// Of the first range.
    [[nodiscard]] Counts evaluate(std::span<const std::uint8_t> counter_data) const;

private:
    void add_base_metrics(CUpti_MetricType type, std::set<std::string, std::less<>>& names) const;

    const Cupti& cupti_;
    std::string chip_;
    CUpti_Profiler_Host_Object* object_ = nullptr;
    Metrics metrics_;
    std::vector<std::uint8_t> config_image_;
};

} // namespace cudabench::counters
