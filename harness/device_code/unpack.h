#pragma once

#include "device_code/elf.h"

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace cudabench::device_code {

/// Thrown for compressed bytes that mean nothing.
struct BrokenPack : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Unpacked = std::vector<std::byte>;

/// What the bytes hold, which must be `size` bytes. They may end in zeros. Throw BrokenPack.
[[nodiscard]] Unpacked unpack_zstd(Bytes frames, std::size_t size); ///< RFC 8878; no dictionaries
[[nodiscard]] Unpacked unpack_lz4(Bytes block, std::size_t size);   ///< LZ4 block format

/// Appends `length` bytes from `distance` back, which may overlap with what is appended. Throws BrokenPack if that lies
/// before the start or more than `size` bytes come of it.
void repeat(Unpacked& out, std::size_t distance, std::size_t length, std::size_t size);
/// Appends the bytes. Throws BrokenPack if more than `size` bytes come of it.
void append(Unpacked& out, Bytes bytes, std::size_t size);

} // namespace cudabench::device_code
