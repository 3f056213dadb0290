#include "inputs/draw.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace cudabench {
namespace {

struct Range {
    std::int64_t first;
    std::uint64_t last; ///< never below zero
};

Range integer_range(Dtype dtype) {
    switch (dtype) {
    case Dtype::uint8: return {0, std::numeric_limits<std::uint8_t>::max()};
    case Dtype::int32: return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    case Dtype::uint32: return {0, std::numeric_limits<std::uint32_t>::max()};
    case Dtype::int64:
    case Dtype::float32:
    case Dtype::float64: return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    }
    throw std::logic_error("unknown dtype");
}

/// A bound as a whole number; 2^63 stands for the largest, which has no double.
std::int64_t whole(double bound, Dtype dtype) {
    const Range range = integer_range(dtype);
    if (std::rint(bound) != bound || bound < static_cast<double>(range.first) ||
        bound > static_cast<double>(range.last)) {
        throw std::invalid_argument(fmt::format("distribution: {} is no whole number of the dtype", bound));
    }
    return bound >= 0x1p63 ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(bound);
}

void check(const Distribution& values) {
    if (!std::isfinite(values.a) || !std::isfinite(values.b) || !std::isfinite(values.needle_factor)) {
        throw std::invalid_argument("distribution: a, b and needle_factor must be finite");
    }
    if (values.kind == Distribution::Kind::normal ? values.b < 0 : values.a > values.b) {
        throw std::invalid_argument(fmt::format("distribution: no value between {} and {}", values.a, values.b));
    }
    if (!(values.needle_probability >= 0 && values.needle_probability <= 1)) {
        throw std::invalid_argument(
            fmt::format("distribution: needle_probability {} is not between 0 and 1", values.needle_probability));
    }
    if (values.kind == Distribution::Kind::ascending && values.needle_probability > 0) {
        throw std::invalid_argument("distribution: needles among ascending values would break their order");
    }
}

void draw_drift(Draw& draw) {
    const PhiloxBlock bits = draw::bits(draw, 0, draw::drift_lane);
    const auto uniform = [&](int word) { return static_cast<double>(bits.word[word]) * 0x1p-32; };
    const auto scale = [&](int word) { return 0.5 + 1.5 * uniform(word); };
    draw.scale = scale(0);
    draw.scale_slope = scale(1) - draw.scale;
    draw.offset = uniform(2);
    draw.offset_slope = uniform(3) - draw.offset;
}

} // namespace

Draw prepare_draw(const Distribution& distribution, Dtype dtype, std::uint64_t seed, std::uint32_t input,
                  std::uint64_t elements) {
    check(distribution);
    Draw draw;
    draw.seed = seed;
    draw.elements = elements;
    draw.input = input;
    draw.dtype = dtype;
    draw.kind = distribution.kind;
    draw.start = distribution.a;
    draw.width = draw.kind == Distribution::Kind::normal ? distribution.b : distribution.b - distribution.a;
    draw.step = elements == 0 ? 0 : 1 / static_cast<double>(elements);
    draw.needle_threshold = static_cast<std::uint64_t>(distribution.needle_probability * 0x1p32);
    draw.needle_factor = distribution.needle_factor;
    if (draw.kind == Distribution::Kind::integer || draw.kind == Distribution::Kind::ascending) {
        draw.first_integer = whole(distribution.a, dtype);
        const auto last = static_cast<std::uint64_t>(whole(distribution.b, dtype));
        draw.integers = last - static_cast<std::uint64_t>(draw.first_integer) + 1;
    } else if (distribution.drift) {
        draw.drift = true;
        draw_drift(draw);
    }
    return draw;
}

} // namespace cudabench
