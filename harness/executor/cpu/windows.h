#pragma once

#include <cstdint>

/// Where the state spaces of a thread lie among generic addresses. Nothing else is mapped there.
namespace cudabench::cpu {

inline constexpr std::uint64_t window_bytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t shared_window = 0x7E00'0000'0000;
inline constexpr std::uint64_t local_window = 0x7E01'0000'0000;
inline constexpr std::uint64_t parameter_window = 0x7E02'0000'0000;
/// Addresses of functions: 16 bytes each, by index in their module.
inline constexpr std::uint64_t function_window = 0x7E03'0000'0000;
/// Of the module's variables, one module after another.
inline constexpr std::uint64_t variables_window = 0x7E10'0000'0000;
/// What arrays of textures and surfaces hold, one after another.
inline constexpr std::uint64_t images_window = 0x7E40'0000'0000;
/// Handles of texture and surface objects, which are no addresses.
inline constexpr std::uint64_t image_handles = 0x7E05'0000'0000;
/// What the runtime keeps for a grid (%envreg1 and %envreg2).
inline constexpr std::uint64_t grid_window = 0x7E04'0000'0000;

[[nodiscard]] constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
    return address - window < window_bytes;
}

} // namespace cudabench::cpu
