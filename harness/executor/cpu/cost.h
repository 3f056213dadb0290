#pragma once

#include "executor/cpu/counts.h"
#include "ptx/module.h"

#include <array>
#include <cstdint>

namespace cudabench::cpu {

/// What one thread does by one step.
struct Cost {
    struct Part {
        Quantity quantity = Quantity::fp32;
        std::uint16_t operations = 0;
    };
    std::array<Part, 2> parts; ///< none: 0 operations

    [[nodiscard]] bool nothing() const { return parts[0].operations == 0; }
};

/// Of an instruction; of mma and wmma the share of one of 32 lanes.
[[nodiscard]] Cost cost_of(const ptx::Instruction& instruction);

} // namespace cudabench::cpu
