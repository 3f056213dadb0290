#pragma once

#include "runtime/recording.h"

#include <cstddef>

namespace cudabench::runtime {

/// What kernel<<<grid, block, shared_bytes, stream>>>(arguments...) does, and its errors.
cudaError_t launch_kernel(Recording& r, recipe::StreamId stream, const void* function, dim3 grid, dim3 block,
                          void** arguments, std::size_t shared_bytes);

} // namespace cudabench::runtime
