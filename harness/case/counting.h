#pragma once

#include "case/case.h"
#include "case/grade_options.h"
#include "case/suite_paths.h"
#include "counters/counts.h"
#include "counters/profiler.h"
#include "executor/gpu/counters_lock.h"
#include "executor/gpu/executor.h"
#include "measure/cold_cache.h"
#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace cudabench {

/// What the counting pass knows of a case, as docs/results.md lays it down.
struct CountedResult {
    std::optional<Failure> failure; ///< why nothing was counted
    counters::Counts counts;
    std::optional<Work> work;      ///< what of it the Performance-Score is about; none without a roofline
    double attainable_seconds = 0; ///< T(work)
    bool host_dependent = false;
    std::size_t passes = 0; ///< how often the recipe was performed for its counts
    std::string chip;
    std::string device_name;
    std::string device_uuid;
    int driver_version = 0;
    double seconds = 0; ///< what counting this case took, all in all
};

/// The counting pass of one process: counters of a GPU, used after they have proved right on a known kernel. While it
/// lives no other process counts on this GPU.
class Counting {
public:
    /// `executor` must outlive it, and its lock must not be held. Waits until nobody counts and the GPU is free. That
    /// counters cannot be had is told by count().
    explicit Counting(gpu::Executor& executor);

    /// Records the candidate anew for the inputs of `seed` and counts its recipe, started operation by operation. What
    /// a host-dependent candidate does is recorded anew for each time. Nothing is verified. Of `options` only the
    /// limits are used.
    [[nodiscard]] CountedResult count(const Suite& suite, const Case& counted, const SuitePaths& paths,
                                      std::uint64_t seed, const GradeOptions& options = {});

private:
    /// That counters are right, of work with or without tensor cores; or why there are none from now on. The GPU's lock
    /// must not be held.
    [[nodiscard]] Expected<Done, Failure> prove(bool tensor_cores);
    [[nodiscard]] Expected<counters::Counts, Failure> count_into(const Suite& suite, const Case& counted,
                                                                 const SuitePaths& paths, std::uint64_t seed,
                                                                 const GradeOptions& options, CountedResult& result);

    gpu::Executor& executor_;
    gpu::CountersLock lock_;
    measure::ColdCache cache_;
    std::unique_ptr<counters::Profiler> profiler_;
    std::set<bool> proven_;              ///< with and without tensor cores
    std::optional<Failure> unavailable_; ///< why there are no counters
};

/// The JSON text of results/<case>.counters.json. `source_sha256` is the counted source's.
[[nodiscard]] std::string to_json(const Suite& suite, const Case& counted, const CountedResult& result,
                                  const std::string& source_sha256);

} // namespace cudabench
