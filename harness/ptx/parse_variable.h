#pragma once

#include "ptx/cursor.h"
#include "ptx/module.h"

#include <optional>
#include <vector>

namespace cudabench::ptx {

/// The state space that `.global`, `.const` ... name.
[[nodiscard]] std::optional<Space> space_named(std::string_view dot_word);

/// After the state space, up to a semicolon, comma or parenthesis that is left: `.align 4 .b8 table[16] = {...}`. One
/// variable for each name.
[[nodiscard]] std::vector<Variable> parse_variables(Cursor& cursor, Space space, bool external);

} // namespace cudabench::ptx
