#pragma once

#include <cstddef>
#include <string>

namespace cudabench {

/// What a candidate printed, for a reader's terminal: control characters other than line feed and tab become '?', so
/// that no escape sequence is left; those of Unicode too (U+0080 to U+009F in UTF-8). Other bytes beyond ASCII stay, as
/// does the length.
[[nodiscard]] inline std::string harmless_text(std::string text) {
    const auto byte = [&text](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((byte(i) < 0x20 && text[i] != '\n' && text[i] != '\t') || byte(i) == 0x7f)
            text[i] = '?';
        else if (byte(i) == 0xc2 && byte(i + 1) >= 0x80 && byte(i + 1) <= 0x9f)
            text[i] = text[i + 1] = '?';
    }
    return text;
}

} // namespace cudabench
