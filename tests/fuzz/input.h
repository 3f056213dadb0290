#pragma once

#include <cstddef>
#include <span>

namespace cudabench {

/// Reads hostile bytes: whatever they are, it returns. Each fuzzed reader has one.
void try_input(std::span<const std::byte> bytes);

} // namespace cudabench
