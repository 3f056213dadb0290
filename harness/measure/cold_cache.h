#pragma once

#include "driver/library.h"
#include "driver/memory.h"
#include "executor/gpu/device.h"

#include <cstdint>

namespace cudabench::measure {

/// Makes every repetition start with the same L2 cache: nothing of its data in it, and no dirty lines whose write-back
/// the candidate would pay for. So it reads, over twice the cache's size, and writes nothing.
class ColdCache {
public:
    explicit ColdCache(const gpu::Device& device);

    /// Starts the sweep in the device's stream. Lines that a kernel made persisting become ordinary first.
    void sweep() const;

private:
    const gpu::Device& device_;
    driver::Library library_;
    CUkernel kernel_;
    std::uint64_t bytes_;
    driver::DeviceMemory memory_;
};

} // namespace cudabench::measure
