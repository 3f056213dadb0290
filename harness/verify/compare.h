#pragma once

#include "verify/bound.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudabench::verify {

/// One element that does not match.
struct Difference {
    std::uint64_t index = 0;
    double expected = 0;
    double got = 0;
    double allowed = 0; ///< absolute
    bool unwritten = false;
};

/// An output against its reference.
struct Comparison {
    static constexpr std::size_t listed = 3;

    std::uint64_t total = 0;
    std::uint64_t mismatches = 0;
    std::uint64_t unwritten = 0;   ///< those of the mismatches that still hold the poison
    std::vector<Difference> first; ///< at most `listed`, by index
    double rms = 0;                ///< root mean square of error / (u x growth x A) over all elements
    double rms_limit = 0;          ///< 0: not bounded
    double worst_ratio = 0;        ///< largest error / allowed error

    [[nodiscard]] bool passed() const { return mismatches == 0 && (rms_limit == 0 || rms <= rms_limit); }
};

/// Why a comparison did not pass, e.g. "3 of 4096 elements of output differ, first: [17] expected 0.5 got 0.25 allowed
/// 1e-07; ...". `output` is the output's name. Empty if it passed.
[[nodiscard]] std::string describe(const Comparison& comparison, std::string_view output, Dtype dtype);

/// An output and its reference in host memory, of one size. `magnitude` holds A of each element, in the dtype of the
/// output; where it is empty, A is the magnitude of the expected value.
struct Outputs {
    std::span<const std::byte> got;
    std::span<const std::byte> expected;
    std::span<const std::byte> magnitude;
};

/// Throws std::invalid_argument if sizes differ.
[[nodiscard]] Comparison compare_on_host(const Bound& bound, const Outputs& outputs);

/// What is to be said of one element, the one of `index`, that does not match.
[[nodiscard]] Difference difference_on_host(const Bound& bound, const Outputs& element, std::uint64_t index);

} // namespace cudabench::verify
