#pragma once

#include "case/case.h"
#include "case/result.h"
#include "case/suite_paths.h"
#include "recorder/record.h"

namespace cudabench {

/// The stages of a case that need no GPU: its host code is recorded for the shape of its scale on a described device,
/// and the recipe is validated. Returns the failure that this shows, or `needs` if the rest is all that is missing.
[[nodiscard]] Failure rehearse(const Suite& suite, const Case& graded, const SuitePaths& paths,
                               const recorder::Limits& limits, const Failure& needs, Result& result);

} // namespace cudabench
