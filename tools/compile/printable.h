#pragma once

#include <string>
#include <string_view>

namespace cudabench::compile {

/// The text with a question mark for every control character (C0 but newline and tab, delete, and C1 as UTF-8), so that
/// what a source makes the compiler print cannot steer a terminal.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace cudabench::compile
