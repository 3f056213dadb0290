#pragma once

#include "recipe/operation.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace cudabench::cpu {

/// What a texture gives for an element: four channels of 32 bits, floats or integers.
using Channels = std::array<std::uint32_t, 4>;

/// The largest element.
inline constexpr std::size_t most_texel_bytes = 16;

/// Integers as they are, extended to 32 bits, or as fractions from 0 or -1 to 1 (CUDA C++ Programming Guide, "Texture
/// Fetching"); floats as floats. Channels that the element lacks are 0, as on an H200.
[[nodiscard]] Channels read_texel(const std::byte* element, recipe::Texel texel, bool as_integers);

} // namespace cudabench::cpu
