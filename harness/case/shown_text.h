#pragma once

#include <string>
#include <string_view>

namespace cudabench {

/// Text that a candidate may have had a part in, for the output of a test program: CTest acts on tags there (it would
/// attach files that they name, or believe their measurements) and a terminal on control characters. Tags are broken by
/// a space, control characters become '?'.
[[nodiscard]] std::string shown_text(std::string_view text);

} // namespace cudabench
