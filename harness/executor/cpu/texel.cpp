#include "executor/cpu/texel.h"

#include "executor/cpu/half.h"

#include <cuda.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

namespace cudabench::cpu {
namespace {

template <typename T> T stored(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <typename T> std::uint32_t integer(const std::byte* from, bool as_integers) {
    const T value = stored<T>(from);
    if (as_integers || sizeof(T) == 4)
        return static_cast<std::uint32_t>(value);
    const double fraction = static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max());
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::max(fraction, -1.0)));
}

std::uint32_t channel(const std::byte* from, std::uint32_t format, bool as_integers) {
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8: return integer<std::uint8_t>(from, as_integers);
    case CU_AD_FORMAT_SIGNED_INT8: return integer<std::int8_t>(from, as_integers);
    case CU_AD_FORMAT_UNSIGNED_INT16: return integer<std::uint16_t>(from, as_integers);
    case CU_AD_FORMAT_SIGNED_INT16: return integer<std::int16_t>(from, as_integers);
    case CU_AD_FORMAT_HALF:
        return std::bit_cast<std::uint32_t>(static_cast<float>(widen<Half>(stored<std::uint16_t>(from))));
    default: return stored<std::uint32_t>(from);
    }
}

} // namespace

Channels read_texel(const std::byte* element, recipe::Texel texel, bool as_integers) {
    Channels channels{};
    const std::uint64_t bytes = recipe::texel_bytes(texel) / texel.channels;
    for (std::uint32_t i = 0; i < texel.channels; ++i)
        channels[i] = channel(element + i * bytes, texel.format, as_integers);
    return channels;
}

} // namespace cudabench::cpu
