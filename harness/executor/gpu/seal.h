#pragma once

#include "driver/memory.h"
#include "executor/gpu/device.h"
#include "executor/gpu/shape_buffers.h"

#include <memory>

namespace cudabench::gpu {

/// A copy of a buffer that nothing can reach until it is opened: later work of the candidate can neither read nor
/// change it.
class Seal {
public:
    /// Copies `buffer` as it is after all work so far, and waits for that.
    Seal(const Device& device, const Buffer& buffer);

    /// The copy, readable from now on.
    [[nodiscard]] Buffer open();

private:
    std::uint64_t bytes_;
    std::unique_ptr<driver::VirtualRange> range_;
    driver::Mapping pages_;
};

} // namespace cudabench::gpu
