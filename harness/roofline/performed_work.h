#pragma once

#include "case/task.h"
#include "counters/counts.h"
#include "roofline/peaks.h"

namespace cudabench::roofline {

/// Which arithmetic a task's Performance-Score counts, beside fp32 and bytes.
struct Admitted {
    bool tensor = false; ///< the task's bound admits reduced precision on tensor cores
    bool fp64 = false;   ///< the task's model computes in double precision
};

/// The work that the Performance-Score is about, of what was counted. Half-precision operations of tensor cores stand
/// as the TF32 operations that take the same time at their peaks. What a task does not admit counts as nothing: else
/// arithmetic that no one needs would raise the score.
[[nodiscard]] Work performed_work(const counters::Counts& counts, const Admitted& admitted, const Peaks& peaks);

} // namespace cudabench::roofline
