#pragma once

#include "recipe/operation.h"
#include "runtime/api.h"

#include <optional>

namespace cudabench::runtime {

/// Format and channels that a channel description stands for; nothing for one that no array can have.
[[nodiscard]] std::optional<recipe::Texel> texel_of(const cudaChannelFormatDesc& channels);

} // namespace cudabench::runtime
