#pragma once

#include "driver/memory.h"
#include "executor/gpu/address_range.h"
#include "executor/gpu/device.h"
#include "executor/gpu/poison.h"
#include "executor/gpu/textures.h"
#include "recipe/operation.h"

#include <cstdint>
#include <map>

namespace cudabench::gpu {

/// Memory behind the candidate's own allocations, at the addresses that the recorder chose.
class Workspace {
public:
    /// What the candidate's live allocations may take, bytes.
    static constexpr std::uint64_t limit_bytes = std::uint64_t{4} << 30;

    Workspace(const Device& device, const AddressRange& range, const Poison& poison);

    /// Maps and poisons what is not mapped yet, in whole pages. Waits for the device. Throws driver::DriverError
    /// (CUDA_ERROR_OUT_OF_MEMORY) and std::logic_error (not in the workspace).
    void allocate(const recipe::Allocate& allocation);
    /// Starts to poison all that is mapped; later allocations get the same.
    void poison(PoisonPattern pattern, std::uint64_t seed);
    /// Unmaps everything, for another recipe. Waits for the device.
    void clear();

    [[nodiscard]] std::uint64_t mapped_bytes() const;
    /// What lies in memory of layouts that only the device knows. Cleared with the rest, but never poisoned.
    [[nodiscard]] Textures& textures() noexcept { return textures_; }

private:
    void map(recipe::Address from, recipe::Address to);

    const Device& device_;
    const Poison& poison_;
    recipe::Address begin_;
    std::map<recipe::Address, driver::Mapping> mapped_; ///< by address
    Textures textures_;
    PoisonPattern pattern_ = PoisonPattern::not_a_number;
    std::uint64_t seed_ = 0;
};

} // namespace cudabench::gpu
