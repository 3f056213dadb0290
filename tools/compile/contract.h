#pragma once

#include "compile/arguments.h"

#include <string_view>

namespace cudabench::compile {

/// Whether the compiler's output says that a generated contract header refused the type of `solve`: a line with that
/// header's own static_assert, at its place below an include directory (-I) of the command that is not the source's.
/// The word alone says nothing, for a source can print it.
[[nodiscard]] bool refused_by_contract(std::string_view output, const Arguments& arguments);

} // namespace cudabench::compile
