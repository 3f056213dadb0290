#pragma once

#include "executor/cpu/warp.h"

namespace cudabench::cpu {

/// vprintf and __assertfail, for `lanes`. Throws Fault.
void call_built(Warp& warp, const CallSite& site, Lanes lanes);

} // namespace cudabench::cpu
