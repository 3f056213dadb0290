#pragma once

#include "compile/arguments.h"

#include <string>
#include <string_view>

namespace cudabench::compile {

/// An error as a compiler would say it, at the last line of `source`, if it ends within a declaration: if the first
/// error of the compiler's output is in what is included after it, contracts/end_of_source.h. Else empty.
[[nodiscard]] std::string early_end(std::string_view output, const Arguments& arguments, std::string_view source);

} // namespace cudabench::compile
