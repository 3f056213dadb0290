#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cudabench::cpu {

/// What is counted, exactly, of device code. Operations are what threads executed: a multiply-add is two, a packed
/// instruction does two at once.
enum class Quantity : std::uint8_t {
    fp32,        ///< add, sub, mul, fma, div, also of atomics; not what only compares, selects, moves or converts
    fp64,        ///< likewise, and rcp, sqrt, rsqrt
    fp16,        ///< likewise, with bf16
    tensor_tf32, ///< of mma and wmma, by the type of their factors
    tensor_half, ///< f16 and bf16
    tensor_fp64,
    tensor_int8,         ///< and narrower integers
    tensor_narrow,       ///< floating-point factors of 8 bits
    sfu,                 ///< f32 and f16: div, rcp, sqrt, rsqrt, sin, cos, ex2, lg2, tanh
    int32,               ///< arithmetic and logic on integers of any size, with that of addresses
    comparisons,         ///< min, max, set, setp of floating-point numbers
    thread_instructions, ///< of PTX
    warp_instructions,   ///< likewise, each for up to 32 threads
    divergent_branches,  ///< branches that some lanes of a warp took and others not
    atomics,             ///< of threads
    // The rest is counted while accesses are watched.
    global_read_bytes, ///< that threads asked for, also of constant memory; with copies and fills of the host
    global_write_bytes,
    global_read_sectors, ///< of 32 bytes, each once for each instruction of a warp
    global_write_sectors,
    unique_read_sectors, ///< of 32 bytes, each once: what no cache can save
    unique_write_sectors,
    shared_read_bytes,
    shared_write_bytes,
    shared_wavefronts, ///< passes over the 32 banks of 4 bytes
    bank_conflicts,    ///< wavefronts beyond one for each 128 bytes that an instruction of a warp asks for
};

inline constexpr std::size_t quantity_count = 25;
inline constexpr std::size_t first_watched = static_cast<std::size_t>(Quantity::global_read_bytes);

/// As results name it, equal to the enumerator's.
[[nodiscard]] std::string_view name(Quantity quantity);

struct Counts {
    std::array<std::uint64_t, quantity_count> values{};

    [[nodiscard]] std::uint64_t of(Quantity quantity) const { return values[static_cast<std::size_t>(quantity)]; }
    void add(Quantity quantity, std::uint64_t more) { values[static_cast<std::size_t>(quantity)] += more; }
    Counts& operator+=(const Counts& other);
    bool operator==(const Counts&) const = default;
};

} // namespace cudabench::cpu
