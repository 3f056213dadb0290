#pragma once

#include "inputs/exact.h"
#include "verify/bound.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// The verdict on one element, with the same bits on CPU and GPU.
namespace cudabench::verify {

struct Judgement {
    bool matches = false;
    bool unwritten = false; ///< does not match and still holds the poison
    double allowed = 0;     ///< absolute error
    double ratio = 0;       ///< error / allowed; infinite where no error is allowed or the class differs
    double units = 0;       ///< error / (u x growth x A), what the root mean square is taken of
};

/// Whether the element `index` of an output still holds the poison, bit for bit.
template <typename T> CUDABENCH_HOST_DEVICE inline bool holds_poison(T value, std::uint64_t index, std::uint32_t word) {
    if constexpr (sizeof(T) == 1) {
        return static_cast<std::uint8_t>(value) == static_cast<std::uint8_t>(word >> (8 * (index % 4)));
    } else {
        std::uint32_t words[sizeof(T) / 4];
        memcpy(words, &value, sizeof value);
        return words[0] == word && words[sizeof(T) / 4 - 1] == word;
    }
}

CUDABENCH_HOST_DEVICE inline bool is_nan(double value) {
    return value != value;
}

CUDABENCH_HOST_DEVICE inline bool is_finite(double value) {
    return value - value == 0;
}

/// `magnitude` is A of Check. One that is not finite counts as 0: it must not widen the bound.
template <typename T>
CUDABENCH_HOST_DEVICE inline Judgement judge(const Bound& bound, std::uint64_t index, T got, T expected, T magnitude) {
    constexpr double infinity = HUGE_VAL;
    const bool equal = got == expected;
    if constexpr (!std::is_floating_point_v<T>) {
        return {equal, !equal && holds_poison(got, index, bound.poison_word), 0, equal ? 0 : infinity, 0};
    } else {
        // The poison is a NaN; it is no answer, not even where NaN is expected.
        if (holds_poison(got, index, bound.poison_word)) {
            return {false, true, 0, infinity, 0};
        }
        if (equal || (is_nan(got) && is_nan(expected))) {
            return {true, false, 0, 0, 0};
        }
        const double y = static_cast<double>(expected);
        const double error = fabs(exact::subtract(static_cast<double>(got), y));
        if (bound.exact || !is_finite(error)) {
            return {false, false, 0, infinity, 0};
        }
        const double a = is_finite(static_cast<double>(magnitude)) ? fabs(static_cast<double>(magnitude)) : 0;
        const double allowed = exact::add(
            exact::add(exact::multiply(bound.magnitude_factor, a), exact::multiply(bound.value_factor, fabs(y))),
            bound.smallest);
        const double unit = exact::add(exact::multiply(bound.magnitude_unit, a), bound.smallest);
        return {error <= allowed, false, allowed, exact::divide(error, allowed), exact::divide(error, unit)};
    }
}

} // namespace cudabench::verify
