#pragma once

#include "driver/memory.h"
#include "executor/gpu/device.h"
#include "recipe/operation.h"

#include <cstdint>

namespace cudabench::gpu {

/// The one range of device addresses that candidates see: first the workspace, for their own allocations, then the
/// buffers of a shape. Nothing is mapped by it.
class AddressRange {
public:
    /// The address asked for, the same in every process: with nothing mapped nearby, so that stray accesses fault.
    static constexpr CUdeviceptr hint = 0x200000000000;
    static constexpr std::uint64_t workspace_span = std::uint64_t{64} << 30;
    static constexpr std::uint64_t buffers_span = std::uint64_t{64} << 30;

    explicit AddressRange(const Device& device) : range_(device.driver(), workspace_span + buffers_span, hint) {}

    [[nodiscard]] recipe::Address workspace() const noexcept { return range_.address(); }
    [[nodiscard]] recipe::Address buffers() const noexcept { return range_.address() + workspace_span; }

private:
    driver::VirtualRange range_;
};

} // namespace cudabench::gpu
