#pragma once

#include "driver/memory.h"
#include "executor/gpu/device.h"
#include "executor/gpu/shape_buffers.h"

#include <memory>

namespace cudabench::gpu {

/// A copy of a buffer that nothing can reach between close() and open(): later work of the candidate can neither read
/// nor change it.
class Seal {
public:
    /// Waits for all work so far, and starts to copy `buffer` as it is then.
    Seal(const Device& device, const Buffer& buffer);

    /// Waits for the copy. Before any other work is started.
    void close();
    /// The copy, readable from now on.
    [[nodiscard]] Buffer open();

private:
    const Device* device_;
    std::uint64_t bytes_;
    std::unique_ptr<driver::VirtualRange> range_;
    driver::Mapping pages_;
};

} // namespace cudabench::gpu
