#pragma once

#include "compile/arguments.h"

#include <string_view>

namespace cudabench::compile {

/// Whether the compiler's output says that a generated contract header refused the type of `solve`, and nothing else is
/// wrong: all errors that the last line counts are that header's own static_assert, at its place below an include
/// directory (-I) of the command that is not the source's. The word alone says nothing, for a source can print it, nor
/// does a refusal beside an error: a source can include the contract before its end.
[[nodiscard]] bool refused_by_contract(std::string_view output, const Arguments& arguments);

} // namespace cudabench::compile
