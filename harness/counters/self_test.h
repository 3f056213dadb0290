#pragma once

#include "counters/profiler.h"
#include "measure/repeat.h"
#include "outcome/failure.h"

#include <optional>

namespace cudabench::counters {

/// Counts a kernel whose multiply-adds and bytes are known, since counters can be silently wrong. Returns what is wrong
/// with them (stage not_run), or none. `tensor_cores`: of the counters for work that may use them, or of the others.
[[nodiscard]] std::optional<Failure> self_test(Profiler& profiler, const gpu::Device& device,
                                               const measure::ColdCache& cache, bool tensor_cores = true);

/// What the known work amounts to.
struct KnownWork {
    double fp32 = 0;       ///< operations, exactly
    double bytes_read = 0; ///< all of them from DRAM, the cache being cold
    double bytes_written = 0;
    double l2_bytes = 0; ///< so much of the written bytes may still be in the L2
};

/// The judgement of self_test(): operations exact, bytes within 5 %.
[[nodiscard]] std::optional<Failure> judge(const Counts& counts, const KnownWork& known);

} // namespace cudabench::counters
