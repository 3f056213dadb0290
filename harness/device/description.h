#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace cudabench::device {

/// What the recording runtime answers host code with, and what the roofline is computed from. Taken from a GPU
/// (executor/gpu) or from a described device (device/described.h), so that recording needs no GPU.
struct Description {
    static constexpr std::size_t attribute_count = 160;

    std::string name;
    std::string uuid;               ///< empty for a described device
    std::uint64_t memory_bytes = 0; ///< total device memory
    int driver_version = 0;         ///< as cuDriverGetVersion, e.g. 13000
    std::array<std::int32_t, attribute_count>
        attributes{}; ///< by CUdevice_attribute (equal to cudaDeviceAttr); 0 where unknown
};

} // namespace cudabench::device
