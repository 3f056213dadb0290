#pragma once

#include "executor/gpu/lock_file.h"

namespace cudabench::gpu {

/// What the bytes of a GPU's lock file stand for.
inline constexpr LockRange turnstile{.start = 0};        ///< the way to the use of the GPU
inline constexpr LockRange use{.start = 1};              ///< shared by who works on it, exclusive for who times
inline constexpr LockRange memory_turnstile{.start = 2}; ///< the way to its memory
inline constexpr LockRange counters{.start = 3};         ///< exclusive for who has a profiler
inline constexpr std::int64_t memory_start = 16;         ///< from here on a byte stands for memory_unit bytes of memory
inline constexpr std::uint64_t memory_unit = std::uint64_t{16} << 20;

} // namespace cudabench::gpu
