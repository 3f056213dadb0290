#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

/// What PTX says of floating-point values beside IEEE 754.
namespace cudabench::cpu {

/// f32 results that are no number are all the same one; f64 ones stay what the host makes of them.
[[gnu::always_inline]] inline float canonical(float value) {
    return value != value ? std::bit_cast<float>(0x7FFFFFFFU) : value;
}
[[gnu::always_inline]] inline double canonical(double value) {
    return value;
}

/// Subnormal numbers become zeros of the same sign if `ftz`.
template <bool ftz> [[gnu::always_inline]] inline float flush(float value) {
    if constexpr (!ftz)
        return value;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & 0x7F80'0000U) == 0 ? std::bit_cast<float>(bits & 0x8000'0000U) : value;
}
template <bool ftz> [[gnu::always_inline]] inline double flush(double value) {
    return value;
}

/// To the interval from 0 to 1, NaN to 0, if `sat`.
template <bool sat, typename T> [[gnu::always_inline]] inline T clamp_unit(T value) {
    if constexpr (!sat)
        return value;
    return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

template <bool ftz, bool sat, typename T> [[gnu::always_inline]] inline T finished(T value) {
    return clamp_unit<sat>(canonical(flush<ftz>(value)));
}

template <typename T> using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// The number where one is none, -0 below +0.
template <typename T> [[gnu::always_inline]] inline T smaller_number(T a, T b) {
    if (a == b) // zeros of either sign
        return std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) | std::bit_cast<BitsOf<T>>(b));
    return a != a ? b : (b != b ? a : (a < b ? a : b));
}
template <typename T> [[gnu::always_inline]] inline T larger_number(T a, T b) {
    if (a == b)
        return std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) & std::bit_cast<BitsOf<T>>(b));
    return a != a ? b : (b != b ? a : (a > b ? a : b));
}

} // namespace cudabench::cpu
