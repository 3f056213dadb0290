#pragma once

#include "recipe/operation.h"

#include <nlohmann/json_fwd.hpp>

namespace cudabench {

/// The first `limit` operations of a recipe for readers of a result: what host code asked for, without the data that it
/// copied. Argument blobs are hexadecimal bytes in memory order, at most 64 of at most 64 bytes; places are addresses
/// or "symbol+offset".
[[nodiscard]] nlohmann::ordered_json to_json(const recipe::Recipe& recipe, std::size_t limit);

} // namespace cudabench
