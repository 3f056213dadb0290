#pragma once

#include <bit>
#include <cstdint>

namespace cudabench::cpu {

inline constexpr unsigned warp_size = 32;

/// A set of lanes of a warp: bit l is lane l.
using Lanes = std::uint32_t;
inline constexpr Lanes all_lanes = ~Lanes{0};

[[nodiscard]] constexpr bool has(Lanes lanes, unsigned lane) {
    return ((lanes >> lane) & 1U) != 0;
}

[[nodiscard]] constexpr unsigned count(Lanes lanes) {
    return static_cast<unsigned>(std::popcount(lanes));
}

/// The lowest lane of a set that is not empty.
[[nodiscard]] constexpr unsigned first(Lanes lanes) {
    return static_cast<unsigned>(std::countr_zero(lanes));
}

/// Calls `work` with each lane of the set, in order.
template <typename Work> [[gnu::always_inline]] inline void each(Lanes lanes, Work work) {
    for (; lanes != 0; lanes &= lanes - 1)
        work(first(lanes));
}

} // namespace cudabench::cpu
