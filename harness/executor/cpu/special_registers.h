#pragma once

#include "executor/cpu/instruction.h"

#include <optional>
#include <string_view>

namespace cudabench::cpu {

/// Where a special register that does not change lies, e.g. "%tid.x". Nothing for others.
[[nodiscard]] std::optional<Place> special_place(std::string_view name, std::uint32_t bytes);

} // namespace cudabench::cpu
