#pragma once

#include "runtime/recording.h"

#include <cstddef>
#include <variant>

namespace cudabench::runtime {

/// One side of a copy: an address, whichever memory it is in, a variable of the device code, or an array.
struct End {
    std::variant<const void*, recipe::Symbol, recipe::InArray> where;
    std::uint64_t pitch = 0; ///< bytes
};

struct Copy {
    End destination;
    End source;
    recipe::Region region;
    cudaMemcpyKind kind = cudaMemcpyDefault;
    recipe::StreamId stream = 0;
    bool blocking = false; ///< host code waits for it
};

/// Performs what concerns the host at once: data to the device is taken from memory now, data from the device is asked
/// for and written. Returns what the real runtime returns.
cudaError_t perform(Recording& r, const Copy& copy);

/// The part of the device's memory that a region at an address is, or nothing, with a note why, for one that is not
/// wholly inside live, and where written writable, memory.
[[nodiscard]] std::optional<recipe::Place> device_place(Recording& r, const void* address, std::uint64_t pitch,
                                                        recipe::Region region, bool written);

} // namespace cudabench::runtime
