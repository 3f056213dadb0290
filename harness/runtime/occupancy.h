#pragma once

#include "runtime/recording.h"

#include <cstddef>

namespace cudabench::runtime {

/// Blocks of `threads` that a multiprocessor holds at once, by the toolkit's occupancy calculator; 0 if none.
[[nodiscard]] int blocks_per_multiprocessor(const Recording& r, const RegisteredKernel& kernel, int threads,
                                            std::size_t dynamic_shared_bytes);

/// The most threads that a block of the kernel may have: by its launch bounds, its registers and the device.
[[nodiscard]] int max_threads(const Recording& r, const RegisteredKernel& kernel);

/// Dynamic shared memory that a block may use so that `blocks` of `threads` fit a multiprocessor.
[[nodiscard]] std::size_t available_shared_bytes(const Recording& r, const RegisteredKernel& kernel, int blocks,
                                                 int threads);

} // namespace cudabench::runtime
