#pragma once

#include "case/task.h"

#include <algorithm>

namespace cudabench {

/// The functions that modules of candidates and references export, as the generator's contracts define them.
inline constexpr const char* solve_function = "cudabench_call";
inline constexpr const char* magnitude_function = "cudabench_magnitude"; ///< of references, where needs_magnitude()

/// Whether an output's bound is in units of the reference's magnitudes.
[[nodiscard]] inline bool needs_magnitude(const Task& task) {
    return std::ranges::any_of(task.outputs, [](const Output& output) { return !output.check.exact; });
}

} // namespace cudabench
