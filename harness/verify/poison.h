#pragma once

#include "case/task.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

/// What outputs, slack and workspace hold before a candidate runs, so that what it did not write shows. The byte at
/// address p is byte p mod 4 of a 32-bit word; buffers start at addresses that are multiples of 16.
namespace cudabench::verify {

/// The word for a dtype and seed. Floats: a quiet NaN as float32 and, twice, as float64, with sign and payload of the
/// seed, never the NaN that the hardware makes. Others: random, no byte of it below 0x40, so that it is no small
/// number and no flag.
[[nodiscard]] std::uint32_t poison_word(Dtype dtype, std::uint64_t seed);

/// Fills bytes of host memory.
void fill_poison(std::span<std::byte> bytes, std::uint32_t word);

/// Offset of the first byte of host memory that does not hold the poison any more.
[[nodiscard]] std::optional<std::uint64_t> first_changed_on_host(std::span<const std::byte> bytes, std::uint32_t word);

} // namespace cudabench::verify
