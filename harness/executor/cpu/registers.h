#pragma once

#include "executor/cpu/step.h"
#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace cudabench::cpu {

/// Where the registers of a function lie in its frame. Registers that never live at the same time share a place, so
/// that the frames of a block fit in a cache.
struct RegisterPlaces {
    std::vector<Place> places; ///< by index of the register
    std::uint32_t bytes = 0;   ///< of all, a multiple of 64
};

[[nodiscard]] RegisterPlaces place_registers(const ptx::Function& function);

/// Bytes of one lane of a register: 2, 4, 8 or 16; 0 for a predicate.
[[nodiscard]] std::uint32_t lane_bytes(ptx::Type type);

} // namespace cudabench::cpu
