#pragma once

#include "compile/arguments.h"

#include <string>

namespace cudabench::compile {

/// The compiler's output for the author of a candidate: with the source's own path where the compiler saw a link, and
/// with a line of advice where a header was not open to it.
[[nodiscard]] std::string for_author(std::string output, const Arguments& arguments);

} // namespace cudabench::compile
