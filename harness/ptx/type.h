#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudabench::ptx {

/// The fundamental types of PTX, section "Types". Packed types (f16x2 ...) count as one value.
enum class Type : std::uint8_t {
    pred,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    u16x2,
    s16x2,
    f16,
    f16x2,
    bf16,
    bf16x2,
    tf32,
    f32,
    f64,
};

/// By its name without the dot, e.g. "u32".
[[nodiscard]] std::optional<Type> type_named(std::string_view name);
/// "u32"; for messages.
[[nodiscard]] std::string_view name(Type type);
/// Size in memory; 1 for pred.
[[nodiscard]] std::uint32_t bytes(Type type);
[[nodiscard]] bool is_signed(Type type);   ///< s8 to s64
[[nodiscard]] bool is_floating(Type type); ///< f16 to f64

} // namespace cudabench::ptx
