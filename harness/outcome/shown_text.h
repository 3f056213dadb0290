#pragma once

#include <string>
#include <string_view>

namespace cudabench {

/// Text that a candidate may have had a part in, for the output of a program, which readers of logs act on: a terminal
/// on control characters, CTest on tags (it would attach files that they name, or believe their measurements), CI
/// services on commands (`::error::` at the start of a line, `##[...]` anywhere: GitHub's; `##vso[...]` and the like:
/// others'). Control characters become '?'; tags and commands are broken by a space.
[[nodiscard]] std::string shown_text(std::string_view text);

} // namespace cudabench
