#pragma once

#include "case/case.h"
#include "case/grade_options.h"
#include "case/result.h"
#include "case/suite_paths.h"

namespace cudabench {

/// Grades one case, stage by stage; the first that fails ends it. Never throws: what goes wrong is a failure of stage
/// fault. After a device fault or an endless kernel the process is lost (driver::lost()): it must end by _exit.
[[nodiscard]] Result grade(const Suite& suite, const Case& graded, const SuitePaths& paths,
                           const GradeOptions& options = {});

} // namespace cudabench
