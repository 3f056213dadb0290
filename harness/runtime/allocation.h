#pragma once

#include "runtime/recording.h"

#include <cstddef>

namespace cudabench::runtime {

/// Device memory on pages of its own, as cudaMalloc returns it.
cudaError_t allocate(Recording& r, void** pointer, std::size_t bytes);
/// Memory that a graph allocates. It is there from now on to the end, whatever frees it.
cudaError_t allocate_for_graph(Recording& r, void** pointer, std::size_t bytes);

} // namespace cudabench::runtime
