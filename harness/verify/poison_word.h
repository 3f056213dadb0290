#pragma once

#include "inputs/philox.h"

#include <cstdint>

namespace cudabench::verify {

/// What outputs, slack and workspace hold before a candidate runs, so that what it did not write shows: one 32-bit word
/// a seed, the byte at address p being byte p mod 4 of it. A quiet NaN as float32 and, twice, as float64, with sign and
/// payload of the seed, never the NaN that the hardware makes (0x7FFFFFFF); a huge number as an integer; no byte of it
/// below 0x40, so that it is no flag.
[[nodiscard]] CUDABENCH_HOST_DEVICE inline std::uint32_t poison_word(std::uint64_t seed) {
    constexpr std::uint32_t lane = 4; // of counters; 0 to 2 belong to inputs/draw.h, 3 to derived seeds
    constexpr std::uint32_t quiet_nan = 0x7FF84040U;
    constexpr std::uint32_t sign_and_payload = 0x8007FFFEU;
    return quiet_nan | (philox({{0, 0, 0, lane}}, seed).word[0] & sign_and_payload);
}

} // namespace cudabench::verify
