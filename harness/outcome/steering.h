#pragma once

#include <cstddef>
#include <string_view>

namespace cudabench {

/// How many bytes at the start of UTF-8 text steer a terminal or the direction of writing, 0 if they do not: a control
/// character but line feed and tab (C0, delete, C1), or a mark of direction (U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069), with which text reads as something else than it is.
[[nodiscard]] constexpr std::size_t steering_bytes(std::string_view text) noexcept {
    const auto byte = [text](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto within = [](unsigned value, unsigned first, unsigned last) { return value >= first && value <= last; };
    if (text.empty())
        return 0;
    if (byte(0) < 0x20)
        return text[0] == '\n' || text[0] == '\t' ? 0 : 1;
    if (byte(0) == 0x7f)
        return 1;
    if ((byte(0) == 0xc2 && within(byte(1), 0x80, 0x9f)) || (byte(0) == 0xd8 && byte(1) == 0x9c))
        return 2;
    if (byte(0) == 0xe2 && byte(1) == 0x80 && (within(byte(2), 0x8e, 0x8f) || within(byte(2), 0xaa, 0xae)))
        return 3;
    return byte(0) == 0xe2 && byte(1) == 0x81 && within(byte(2), 0xa6, 0xa9) ? 3 : 0;
}

} // namespace cudabench
