#pragma once

#include "case/task.h"
#include "inputs/exact.h"
#include "inputs/philox.h"

#include <cstdint>
#include <type_traits>

/// The value of each element of an input: a pure function of (seed, input, index), with the same bits on CPU and GPU,
/// because every floating-point operation is a single correctly rounded one (inputs/exact.h).
///
///   bits    = philox(counter = {index, index >> 32, input, 0}, key = seed)
///   t       = index (1 / elements)
///   uniform:  u of the 53 upper of 64 bits, in [0, 1); a + (b - a) u
///             with drift a + (b - a) (offset(t) (1 - scale(t) / 2) + u scale(t) / 2): never leaves [a, b]
///   normal:   z of eight 16-bit uniforms (Irwin-Hall), mean 0, standard deviation 1, |z| < 4.9; a + b z
///             with drift a + b (2 offset(t) - 1 + scale(t) z): |mean - a| <= b
///   integer:  a + floor(bits (b - a + 1) / 2^64); never drifts
///   ascending: a at the first index, b at the last. The one in the middle of two known ones (rounded down), of the
///             values v and w, has v + floor(r (w - v + 1) / 2^64), where r = 2^62 + floor(bits / 2) of that index: a
///             share of a quarter to three quarters. And so on in either half. Neither drifts nor has needles
///
/// scale(t) runs linearly from one value in [0.5, 2) to another, offset(t) from one in [0, 1) to another; the four are
/// drawn from the seed. Needles multiply the value. A value of a whole-number dtype is rounded to the nearest and kept
/// within the dtype.
namespace cudabench {

/// A distribution made ready for one input of one shape: plain data, passed to the kernel as it is.
struct Draw {
    std::uint64_t seed = 0;
    std::uint64_t elements = 0;
    std::uint32_t input = 0; ///< index into Task::inputs
    Dtype dtype = Dtype::float32;
    Distribution::Kind kind = Distribution::Kind::uniform;
    bool drift = false;
    double start = 0;                   ///< a
    double width = 0;                   ///< b - a for uniform, b for normal
    std::int64_t first_integer = 0;     ///< a, for integer and ascending
    std::uint64_t integers = 0;         ///< b - a + 1, for integer and ascending; 0 stands for 2^64
    double step = 0;                    ///< 1 / elements
    double scale = 1;                   ///< at t = 0
    double scale_slope = 0;             ///< for t from 0 to 1
    double offset = 0;                  ///< at t = 0
    double offset_slope = 0;            ///< for t from 0 to 1
    std::uint64_t needle_threshold = 0; ///< probability x 2^32
    double needle_factor = 1;
};

/// Throws std::invalid_argument for a distribution without values (a > b, a bound that is not finite, a probability
/// outside [0, 1], a whole number outside the range of the dtype, ascending ones with needles).
[[nodiscard]] Draw prepare_draw(const Distribution& distribution, Dtype dtype, std::uint64_t seed, std::uint32_t input,
                                std::uint64_t elements);

namespace draw {

enum Lane : std::uint32_t { value_lane = 0, needle_lane = 1, drift_lane = 2 };

CUDABENCH_HOST_DEVICE inline PhiloxBlock bits(const Draw& draw, std::uint64_t index, Lane lane) {
    return philox({{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), draw.input, lane}},
                  draw.seed);
}

CUDABENCH_HOST_DEVICE inline std::uint64_t word64(const PhiloxBlock& block) {
    return (static_cast<std::uint64_t>(block.word[1]) << 32) | block.word[0];
}

/// In [0, 1), a multiple of 2^-53.
CUDABENCH_HOST_DEVICE inline double unit_uniform(std::uint64_t word) {
    return static_cast<double>(word >> 11) * 0x1p-53;
}

/// Sum of eight 16-bit uniforms, less its mean, over its standard deviation sqrt(8 (2^32 - 1) / 12).
CUDABENCH_HOST_DEVICE inline double unit_normal(const PhiloxBlock& block) {
    constexpr std::int32_t mean = 8 * 65535 / 2;
    constexpr double inverse_deviation = 1 / 53509.91992145008;
    std::int32_t sum = 0;
    for (const std::uint32_t word : block.word) {
        sum += static_cast<std::int32_t>(word & 0xFFFFU) + static_cast<std::int32_t>(word >> 16);
    }
    return exact::multiply(static_cast<double>(sum - mean), inverse_deviation);
}

CUDABENCH_HOST_DEVICE inline double real(const Draw& draw, std::uint64_t index, const PhiloxBlock& block) {
    const double t = exact::multiply(static_cast<double>(index), draw.step);
    const double scale = exact::add(draw.scale, exact::multiply(draw.scale_slope, t));
    const double offset = exact::add(draw.offset, exact::multiply(draw.offset_slope, t));
    double relative = 0;
    if (draw.kind == Distribution::Kind::uniform) {
        relative = unit_uniform(word64(block));
        if (draw.drift) {
            const double half = exact::multiply(scale, 0.5);
            relative = exact::add(exact::multiply(offset, exact::subtract(1, half)), exact::multiply(relative, half));
        }
    } else {
        relative = unit_normal(block);
        if (draw.drift) {
            relative = exact::add(exact::subtract(exact::multiply(2, offset), 1), exact::multiply(scale, relative));
        }
    }
    return exact::add(draw.start, exact::multiply(draw.width, relative));
}

CUDABENCH_HOST_DEVICE inline std::int64_t integer(const Draw& draw, const PhiloxBlock& block) {
    const std::uint64_t word = word64(block);
    const std::uint64_t distance = draw.integers == 0 ? word : exact::multiply_high(word, draw.integers);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(draw.first_integer) + distance);
}

/// By bisection, so that each index is had without those before it. Every index is the middle of one stretch at most.
CUDABENCH_HOST_DEVICE inline std::int64_t ascending(const Draw& draw, std::uint64_t index) {
    const auto value = [&](std::uint64_t distance) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(draw.first_integer) + distance);
    };
    std::uint64_t first = 0;
    std::uint64_t last = draw.elements - 1;
    std::uint64_t least = 0; // at `first`, counted from a
    std::uint64_t most = draw.integers - 1;
    if (index == first) {
        return value(least);
    }
    while (index != last) {
        const std::uint64_t middle = first + (last - first) / 2;
        const std::uint64_t share = (std::uint64_t{1} << 62) + (word64(bits(draw, middle, value_lane)) >> 1);
        const std::uint64_t between = least + exact::multiply_high(share, most - least + 1);
        if (index < middle) {
            last = middle;
            most = between;
        } else if (index > middle) {
            first = middle;
            least = between;
        } else {
            return value(between);
        }
    }
    return value(most);
}

CUDABENCH_HOST_DEVICE inline bool is_needle(const Draw& draw, std::uint64_t index) {
    return draw.needle_threshold != 0 && bits(draw, index, needle_lane).word[0] < draw.needle_threshold;
}

/// A real value as an element of dtype T.
template <typename T> CUDABENCH_HOST_DEVICE inline T convert(double value) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(value);
    } else {
        // The doubles next to the limits of 64 bits, within them.
        constexpr bool wide = sizeof(T) == 8;
        constexpr double low = std::is_unsigned_v<T> ? 0 : (wide ? -0x1p63 : -0x1p31);
        constexpr double high =
            wide ? 0x1.fffffffffffffp62 : (sizeof(T) == 1 ? 255 : (low < 0 ? 0x1p31 - 1 : 0x1p32 - 1));
        return static_cast<T>(exact::round_within(value, low, high));
    }
}

/// The element `index`. T is the C++ type of draw.dtype.
template <typename T> CUDABENCH_HOST_DEVICE inline T element(const Draw& draw, std::uint64_t index) {
    if (draw.kind == Distribution::Kind::ascending) {
        return static_cast<T>(ascending(draw, index));
    }
    const PhiloxBlock block = bits(draw, index, value_lane);
    const bool needle = is_needle(draw, index);
    if (draw.kind == Distribution::Kind::integer) {
        const std::int64_t value = integer(draw, block);
        return needle ? convert<T>(exact::multiply(static_cast<double>(value), draw.needle_factor))
                      : static_cast<T>(value);
    }
    const double value = real(draw, index, block);
    return convert<T>(needle ? exact::multiply(value, draw.needle_factor) : value);
}

} // namespace draw
} // namespace cudabench
