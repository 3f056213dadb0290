#pragma once

#include "ptx/cursor.h"
#include "ptx/module.h"

namespace cudabench::ptx {

/// After `.entry` or `.func`, up to the end of its body or declaration.
[[nodiscard]] Function parse_function(Cursor& cursor, bool entry, bool external);

} // namespace cudabench::ptx
