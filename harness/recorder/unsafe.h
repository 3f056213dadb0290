#pragma once

#include <cstdlib>
#include <string_view>

namespace cudabench::recorder {

/// Whether the user lets candidate host code run unconfined where it cannot be confined: CUDABENCH_UNSAFE=1. Any other
/// value, 0 among them, does not.
[[nodiscard]] inline bool unsafe_requested() {
    const char* value = std::getenv("CUDABENCH_UNSAFE");
    return value && std::string_view(value) == "1";
}

} // namespace cudabench::recorder
