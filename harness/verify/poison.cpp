#include "verify/poison.h"

#include "inputs/seed.h"

namespace cudabench::verify {
namespace {

std::byte poison_byte(const std::byte* address, std::uint32_t word) {
    return static_cast<std::byte>(word >> (8 * (reinterpret_cast<std::uintptr_t>(address) % 4)));
}

} // namespace

std::uint32_t poison_word(Dtype dtype, std::uint64_t seed) {
    const auto bits = static_cast<std::uint32_t>(derive_seed(seed, Purpose::poison, static_cast<std::uint64_t>(dtype)));
    if (dtype != Dtype::float32 && dtype != Dtype::float64) {
        return bits | 0x40404040U;
    }
    // Exponent all ones in both formats. The last payload bit stays 0, for the GPU's own NaN is 0x7FFFFFFF.
    constexpr std::uint32_t quiet_nan = 0x7FF80000U;
    constexpr std::uint32_t sign_and_payload = 0x8007FFFEU;
    return quiet_nan | (bits & sign_and_payload);
}

void fill_poison(std::span<std::byte> bytes, std::uint32_t word) {
    for (std::byte& byte : bytes) {
        byte = poison_byte(&byte, word);
    }
}

std::optional<std::uint64_t> first_changed_on_host(std::span<const std::byte> bytes, std::uint32_t word) {
    for (std::uint64_t offset = 0; offset < bytes.size(); ++offset) {
        if (bytes[offset] != poison_byte(&bytes[offset], word)) {
            return offset;
        }
    }
    return std::nullopt;
}

} // namespace cudabench::verify
