#pragma once

#include "executor/gpu/executor.h"
#include "outcome/failure.h"
#include "recorder/ahead.h"
#include "recorder/record.h"

#include <cstdint>
#include <optional>

namespace cudabench {

/// What may differ between two gradings of a case. The defaults are ctest's.
struct GradeOptions {
    std::optional<std::uint64_t> seed;   ///< else run_seed()
    Stage stop_after = Stage::plausible; ///< compile, launch, edge, values or plausible; later stages are not tried
    bool edges = true;                   ///< false: the same candidate has passed them with the same seed
    recorder::Limits limits;             ///< of host code
    std::optional<gpu::Seconds> device_limit;       ///< else by the scale's work
    gpu::Executor* executor = nullptr;              ///< a GPU that is ready; else one is made ready
    recorder::RecordingsAhead* reference = nullptr; ///< of the reference's host code; more are added
    /// The process ends after this case: what it has on the GPU is left to that, which is faster and nobody waits for.
    bool last = false;
};

} // namespace cudabench
