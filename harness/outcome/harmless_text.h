#pragma once

#include "outcome/steering.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace cudabench {

/// What a candidate printed, for a reader's terminal: each byte of what would steer it becomes '?'. Other bytes beyond
/// ASCII stay, as does the length.
[[nodiscard]] inline std::string harmless_text(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i)
        if (const std::size_t steering = steering_bytes(std::string_view(text).substr(i)); steering != 0) {
            text.replace(i, steering, steering, '?');
            i += steering - 1;
        }
    return text;
}

} // namespace cudabench
