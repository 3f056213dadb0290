#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace cudabench::counters {

/// What is counted of a piece of work. Operations are what threads executed: a multiply-add is two.
enum class Quantity : std::uint8_t {
    fp32,        ///< operations outside tensor cores
    fp64,        ///< operations outside tensor cores
    fp16,        ///< operations outside tensor cores; of packed instructions, which do two at once, half
    tensor_tf32, ///< operations of tensor cores, by the type of their factors
    tensor_half, ///< fp16 and bf16 factors
    tensor_fp64,
    tensor_int8,
    tensor_narrow, ///< floating-point factors of 8 bits and fewer
    dram_bytes_read,
    dram_bytes_write,
    seconds, ///< from the first to the last work of the range, at the clocks of counting
    sm_hz,
    dram_hz,
    peak_ffma,       ///< fp32 multiply-adds that the GPU can do in a cycle
    peak_dram_bytes, ///< bytes that its DRAM can move in a cycle of dram_hz
};

inline constexpr std::size_t quantity_count = 15;

/// As results name it, equal to the enumerator's.
[[nodiscard]] std::string_view name(Quantity quantity);
[[nodiscard]] const std::array<Quantity, quantity_count>& all_quantities();

/// What was counted; a quantity that the chip cannot count is left out.
struct Counts {
    std::map<Quantity, double> values;

    [[nodiscard]] bool has(Quantity quantity) const { return values.contains(quantity); }
    /// 0 where it was not counted.
    [[nodiscard]] double of(Quantity quantity) const {
        const auto found = values.find(quantity);
        return found == values.end() ? 0 : found->second;
    }
    /// What the chip cannot count.
    [[nodiscard]] std::vector<Quantity> lacking() const;
};

} // namespace cudabench::counters
