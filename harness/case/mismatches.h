#pragma once

#include "case/result.h"
#include "verify/compare.h"

#include <string>

namespace cudabench {

/// What a result says of an output that differs.
[[nodiscard]] Mismatches mismatches_of(const verify::Comparison& comparison, const std::string& output);

} // namespace cudabench
