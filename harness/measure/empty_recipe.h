#pragma once

#include "executor/gpu/executor.h"
#include "measure/repeat.h"

namespace cudabench::measure {

/// The time of a recipe with one kernel that does nothing, measured as time_recipe() measures: no recipe can be faster.
Expected<Timing, Failure> time_empty_recipe(gpu::Executor& executor, const Conditions& conditions);

} // namespace cudabench::measure
