#pragma once

#include "executor/gpu/executor.h"
#include "measure/repeat.h"
#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recipe/operation.h"

#include <functional>

namespace cudabench::measure {

/// Times a recipe that asks nothing, with the GPU for this process alone. It must have been performed once on
/// `executor` before (its workspace is mapped then). The whole recipe is one graph; if something in it cannot be
/// captured, its operations are started one by one between two events (Timing::graph is false).
/// Failures: stage launch as of gpu::Performance, with `limit` for each repetition.
Expected<Timing, Failure> time_recipe(gpu::Executor& executor, const Conditions& conditions, gpu::Program& program,
                                      const recipe::Recipe& recipe, const Around& around, gpu::Seconds limit);

/// Records the host code anew, performing on the given performance what it asks for; all but finish().
using Interaction = std::function<Expected<Done, Failure>(gpu::Performance&)>;

/// Times a host-dependent recipe: from its first operation of the device to its last, copies and the host code's gaps
/// included (Timing::host_gaps).
Expected<Timing, Failure> time_interaction(gpu::Executor& executor, const Conditions& conditions, gpu::Program& program,
                                           const Interaction& interaction, const Around& around, gpu::Seconds limit);

} // namespace cudabench::measure
