#pragma once

#include "counters/counts.h"
#include "driver/library.h"
#include "driver/memory.h"
#include "executor/gpu/device.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace cudabench::counters {

/// A piece of work with what it is known to execute.
struct CountedWork {
    std::string name;
    std::vector<std::string> kernels; ///< started in this order
    unsigned threads = 0;             ///< of each
    std::map<Quantity, double> operations;
    double bytes_read = 0; ///< compulsory
    double bytes_written = 0;
    bool graph = false; ///< also as a graph: other profilers count its kernels where they are launched so
};

/// Memory-bound, arithmetic on every pipe, atomics, several launches, a graph.
[[nodiscard]] const std::vector<CountedWork>& counted_works();

/// Performs them.
class WorkPerformer {
public:
    explicit WorkPerformer(const gpu::Device& device);

    /// By direct launches, as the harness counts.
    void perform(const CountedWork& work) const;
    /// By one graph of them.
    void perform_graph(const CountedWork& work) const;

private:
    void start(const CountedWork& work) const;

    const gpu::Device& device_;
    driver::Library library_;
    driver::DeviceMemory from_;
    driver::DeviceMemory to_;
};

} // namespace cudabench::counters
