#pragma once

#include "counters/counts.h"
#include "counters/host_profiler.h"
#include "executor/gpu/device.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <functional>
#include <memory>
#include <string>

namespace cudabench::counters {

/// What is performed while counters count. The hardware counts a few things at a time, so it is performed several
/// times.
struct Counted {
    /// Before each time, not counted: everything as it was the first time. May start its work in the device's stream.
    std::function<void()> prepare = [] {};
    /// The work, by direct launches: those of a graph that was instantiated before are counted as zero. Returns when it
    /// is done, or why it failed.
    std::function<Expected<Done, Failure>()> perform;
    /// Whether it may use tensor cores. It is performed fewer times if not: they take a pass for each type of factors.
    bool tensor_cores = true;
};

/// The performance counters of a GPU, by CUPTI's range profiler: one range of the user's, replayed by the user. One a
/// process, with the GPU for this process alone while it counts.
class Profiler {
public:
    /// Failure: stage not_run, why there are no counters here, with the remedy.
    static Expected<std::unique_ptr<Profiler>, Failure> create(const gpu::Device& device);
    ~Profiler();
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    [[nodiscard]] const std::string& chip() const noexcept { return all_.chip(); }
    /// How often work is performed.
    [[nodiscard]] std::size_t passes(bool tensor_cores) { return host(tensor_cores).passes(); }

    /// Counts one piece of work; waits some seconds for another profiler. Failures: the work's own; stage not_run where
    /// CUPTI gives no counts.
    Expected<Counts, Failure> count(const Counted& counted);

private:
    Profiler(const Cupti& cupti, const gpu::Device& device, std::string chip);

    Expected<Counts, Failure> count_once(const Counted& counted);
    HostProfiler& host(bool tensor_cores) noexcept { return tensor_cores ? all_ : plain_; }
    void configure(HostProfiler& host);
    Expected<bool, Failure> pass(const Counted& counted);

    const Cupti& cupti_;
    const gpu::Device& device_;
    HostProfiler all_;
    HostProfiler plain_; ///< for work without tensor cores
    CUpti_RangeProfiler_Object* object_ = nullptr;
    std::vector<std::uint8_t> counter_data_;
};

} // namespace cudabench::counters
