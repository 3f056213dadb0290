#pragma once

#include "case/case.h"
#include "case/suite_paths.h"

namespace cudabench {

/// What the GoogleTest cases of one program share.
struct RunState {
    const Suite& suite;
    SuitePaths paths;
    bool fault_seen = false;   ///< the grader or the machine failed
    bool not_run_seen = false; ///< a case could not run here
};

inline constexpr int exit_passed = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_nothing_selected = 2;
inline constexpr int exit_fault = 4;
inline constexpr int exit_not_run = 77;

} // namespace cudabench
