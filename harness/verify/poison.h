#pragma once

#include "verify/poison_word.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cudabench::verify {

/// Fills bytes of host memory with the poison.
void fill_poison(std::span<std::byte> bytes, std::uint32_t word);

/// Offset of the first byte of host memory that does not hold the poison any more.
[[nodiscard]] std::optional<std::uint64_t> first_changed(std::span<const std::byte> bytes, std::uint32_t word);

} // namespace cudabench::verify
