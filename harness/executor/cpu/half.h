#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

/// f16 and bf16 on a host that may have neither: values are held in their bits and computed in double, where products
/// are exact, and rounded once.
namespace cudabench::cpu {

/// Of a binary floating-point format of 16 bits.
template <int fraction_bits> struct Small {
    static constexpr int exponent_bits = 15 - fraction_bits;
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr std::uint16_t infinity = ((1U << exponent_bits) - 1) << fraction_bits;
    static constexpr std::uint16_t largest = infinity - 1;
    static constexpr std::uint16_t not_a_number = 0x7FFF;
};

using Half = Small<10>;
using Brain = Small<7>;

enum class Rounding : std::uint8_t { nearest, to_zero, down, up, away };

/// Exact.
template <typename Format> [[gnu::always_inline]] inline double widen(std::uint16_t bits) {
    constexpr int fraction = std::is_same_v<Format, Half> ? 10 : 7;
    const auto sign = static_cast<std::uint64_t>(bits >> 15) << 63;
    const int exponent = (bits & 0x7FFF) >> fraction;
    const auto mantissa = static_cast<std::uint64_t>(bits & ((1U << fraction) - 1));
    if (exponent == (1 << Format::exponent_bits) - 1)
        return std::bit_cast<double>(sign | (std::uint64_t{0x7FF} << 52) | (mantissa << (52 - fraction)));
    if (exponent == 0) {
        const double value =
            static_cast<double>(static_cast<std::int64_t>(mantissa)) *
            std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 1 - Format::bias - fraction) << 52);
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | sign);
    }
    return std::bit_cast<double>(sign | (static_cast<std::uint64_t>(exponent - Format::bias + 1023) << 52) |
                                 (mantissa << (52 - fraction)));
}

/// Rounds once. Overflow gives infinity, or the largest number where the rounding says so.
template <typename Format, Rounding rounding = Rounding::nearest>
[[gnu::always_inline]] inline std::uint16_t narrow(double value) {
    constexpr int fraction = std::is_same_v<Format, Half> ? 10 : 7;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 63) << 15);
    const int exponent = static_cast<int>((bits >> 52) & 0x7FF) - 1023;
    const std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent == 1024)
        return mantissa != 0 ? Format::not_a_number : static_cast<std::uint16_t>(sign | Format::infinity);
    if (exponent < -1022 && mantissa == 0)
        return sign;
    // Below the smallest normal number the last place no longer shrinks.
    constexpr int smallest = 1 - Format::bias;
    const int lost = 52 - fraction + (exponent < smallest ? smallest - exponent : 0);
    const std::uint64_t whole = exponent < -1022 ? mantissa : mantissa | (std::uint64_t{1} << 52);
    std::uint64_t kept = lost > 63 ? 0 : whole >> lost;
    const bool inexact = lost > 63 ? true : (whole & ((std::uint64_t{1} << lost) - 1)) != 0;
    bool up = false;
    if (rounding == Rounding::nearest || rounding == Rounding::away) {
        const std::uint64_t half = lost > 63 ? 0 : std::uint64_t{1} << (lost - 1);
        const std::uint64_t rest = lost > 63 ? 0 : whole & ((std::uint64_t{1} << lost) - 1);
        up = lost <= 63 && (rest > half || (rest == half && (rounding == Rounding::away || (kept & 1) != 0)));
    } else if (rounding == Rounding::up) {
        up = inexact && sign == 0;
    } else if (rounding == Rounding::down) {
        up = inexact && sign != 0;
    }
    kept += up ? 1 : 0;
    // A normal number's leading one adds to the exponent field, a carry out of the fraction likewise.
    const int field = exponent < smallest ? 0 : exponent + Format::bias - 1;
    const std::uint64_t result = (static_cast<std::uint64_t>(field) << fraction) + kept;
    if (result >= Format::infinity) {
        const bool stays = rounding == Rounding::to_zero || (rounding == Rounding::down && sign == 0) ||
                           (rounding == Rounding::up && sign != 0);
        return static_cast<std::uint16_t>(sign | (stays ? Format::largest : Format::infinity));
    }
    return static_cast<std::uint16_t>(sign | result);
}

/// a + b rounded to odd in double: rounding it again to a format of at most 51 bits rounds the exact sum once.
[[gnu::always_inline]] inline double sum_to_odd(double a, double b) {
    const double sum = a + b;
    const double b_part = sum - a;
    const double error = (a - (sum - b_part)) + (b - b_part);
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    if (!(error != 0) || (bits & 1) != 0 || !(std::fabs(sum) < HUGE_VAL))
        return sum;
    // The other neighbour of the exact sum is the odd one.
    const bool outwards = (error > 0) == (sum > 0);
    return std::bit_cast<double>(outwards ? bits + 1 : bits - 1);
}

} // namespace cudabench::cpu
