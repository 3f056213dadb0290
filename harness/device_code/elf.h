#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cudabench::device_code {

using Bytes = std::span<const std::byte>;

/// `size` bytes at `offset`, if they are there.
[[nodiscard]] std::optional<Bytes> slice(Bytes bytes, std::uint64_t offset, std::uint64_t size);

/// A structure of the file format at any alignment, if it is there.
template <typename T> [[nodiscard]] std::optional<T> structure_at(Bytes bytes, std::uint64_t offset) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto found = slice(bytes, offset, sizeof(T));
    if (!found)
        return std::nullopt;
    T value;
    std::memcpy(&value, found->data(), sizeof(T));
    return value;
}

/// The sections and symbols of an ELF64 file: a candidate's shared object, or a cubin inside. Views into the bytes that
/// it was read from, which must outlive it.
struct Elf {
    struct Section {
        std::string_view name;
        std::uint32_t type = 0;
        std::uint32_t info = 0;
        std::uint64_t size = 0;
        Bytes content; ///< empty where the file holds none (SHT_NOBITS)
    };
    struct Symbol {
        std::string_view name;
        std::uint8_t type = 0;  ///< STT_FUNC, STT_OBJECT ...
        std::uint8_t other = 0; ///< st_other
        std::uint32_t section = 0;
        std::uint64_t size = 0;
    };

    std::uint16_t machine = 0;
    std::uint32_t flags = 0;
    std::vector<Section> sections;
    std::vector<Symbol> symbols; ///< of the static symbol table (SHT_SYMTAB)

    /// The first section of that name; null if there is none.
    [[nodiscard]] const Section* section(std::string_view name) const;
};

/// Accepts any bytes; a Failure of stage contract says what is broken.
[[nodiscard]] Expected<Elf, Failure> read_elf(Bytes file);

} // namespace cudabench::device_code
