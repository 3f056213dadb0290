#pragma once

#include "executor/gpu/executor.h"
#include "measure/sustained.h"

namespace cudabench {

/// What this GPU sustains: measured once for a GPU and driver, with the GPU for this process alone, and kept in
/// cudabench/ of the user's cache directory (XDG_CACHE_HOME, else ~/.cache). Where that cannot be written it is
/// measured every time.
[[nodiscard]] measure::Sustained sustained_ceilings(gpu::Executor& executor);

} // namespace cudabench
