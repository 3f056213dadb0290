#pragma once

#include <algorithm>
#include <string>

namespace cudabench {

/// What a candidate printed, for a reader's terminal: control characters other than line feed and tab become '?', so
/// that no escape sequence is left. Bytes beyond ASCII stay, as does the length.
[[nodiscard]] inline std::string harmless_text(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return (c >= '\0' && c < ' ' && c != '\n' && c != '\t') || c == '\x7f'; }, '?');
    return text;
}

} // namespace cudabench
