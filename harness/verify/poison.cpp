#include "verify/poison.h"

namespace cudabench::verify {
namespace {

std::byte poison_byte(const std::byte* address, std::uint32_t word) {
    return static_cast<std::byte>(word >> (8 * (reinterpret_cast<std::uintptr_t>(address) % 4)));
}

} // namespace

void fill_poison(std::span<std::byte> bytes, std::uint32_t word) {
    for (std::byte& byte : bytes) {
        byte = poison_byte(&byte, word);
    }
}

std::optional<std::uint64_t> first_changed(std::span<const std::byte> bytes, std::uint32_t word) {
    for (std::uint64_t offset = 0; offset < bytes.size(); ++offset) {
        if (bytes[offset] != poison_byte(&bytes[offset], word)) {
            return offset;
        }
    }
    return std::nullopt;
}

} // namespace cudabench::verify
