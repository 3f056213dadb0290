#pragma once

#include <cstdint>

namespace cudabench::verify {

/// What the comparing kernel gathers.
struct Tally {
    static constexpr std::uint64_t none = UINT64_MAX;

    std::uint64_t mismatches = 0;
    std::uint64_t unwritten = 0;
    std::uint64_t first = none; ///< lowest index that does not match, at or after the one asked for
    double worst_ratio = 0;
    double sum_of_squares = 0; ///< of Judgement::units
};

} // namespace cudabench::verify
