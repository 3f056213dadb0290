#pragma once

#include "executor/gpu/device.h"

namespace cudabench::measure {

/// What a GPU sustains, as opposed to its nominal peaks; operations and bytes a second.
struct Sustained {
    double bandwidth = 0;   ///< of a copy that the caches do not hold: bytes read and written
    double fp32 = 0;        ///< multiply-adds, two operations each
    double fp64 = 0;        ///< multiply-adds, two operations each
    double tensor_tf32 = 0; ///< dense, by mma.sync, which on newer GPUs is not the fastest way; 0 where there is none
};

/// Measures it, within about 0.2 s, by the median of a few repetitions. The GPU must be this process's alone.
[[nodiscard]] Sustained measure_sustained(const gpu::Device& device);

} // namespace cudabench::measure
