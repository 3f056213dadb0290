#pragma once

#include "driver/library.h"
#include "driver/memory.h"
#include "executor/gpu/device.h"

namespace cudabench::measure {

/// Measures the clock at which the multiprocessors run now.
class ClockProbe {
public:
    explicit ClockProbe(const gpu::Device& device);

    /// Hz, from about 50 us of one thread. Waits for the device's stream.
    [[nodiscard]] double hertz() const;

private:
    const gpu::Device& device_;
    driver::Library library_;
    CUkernel kernel_;
    driver::DeviceMemory counts_;
};

} // namespace cudabench::measure
