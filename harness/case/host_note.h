#pragma once

#include "recorder/record.h"

#include <string>

namespace cudabench {

/// For the message of a wrong result, what was first noted of host code, which may not have looked at it: "; of its
/// host code: cudaErrorInvalidConfiguration: ..." of a launch that was refused. Empty if nothing was.
[[nodiscard]] std::string host_note(const recorder::Recording& recording);

} // namespace cudabench
