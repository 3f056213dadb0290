#pragma once

#include "counters/counts.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace cudabench::counters {

/// One metric as CUPTI names it, and what it adds to a quantity for each unit.
struct Metric {
    std::string name; ///< with rollup and submetric, e.g. "dram__bytes_read.sum"
    Quantity quantity;
    double weight = 1;
};

/// The metrics of one collection on one chip.
class Metrics {
public:
    /// Of all quantities those that the chip has metrics for. `base_metrics`: what it knows, without rollups. Names
    /// differ by chip, and a single one that a chip lacks would spoil the whole collection.
    static Metrics resolve(const std::set<std::string, std::less<>>& base_metrics);
    /// For work that uses no tensor cores: without their metrics, whose quantities are zero. On most chips each of them
    /// takes a pass.
    [[nodiscard]] Metrics without_tensor_cores() const;

    [[nodiscard]] std::span<const Metric> all() const noexcept { return metrics_; }
    [[nodiscard]] std::vector<const char*> names() const;
    [[nodiscard]] bool has(Quantity quantity) const;
    /// Whether work can be counted at all: fp32 operations, DRAM bytes in both directions, time.
    [[nodiscard]] bool complete() const;
    /// `values` in the order of all().
    [[nodiscard]] Counts evaluate(std::span<const double> values) const;

private:
    std::vector<Metric> metrics_;
    std::set<Quantity> zero_; ///< known without counting
};

} // namespace cudabench::counters
