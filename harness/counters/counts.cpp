#include "counters/counts.h"

#include <stdexcept>

namespace cudabench::counters {

std::string_view name(Quantity quantity) {
    switch (quantity) {
    case Quantity::fp32: return "fp32";
    case Quantity::fp64: return "fp64";
    case Quantity::fp16: return "fp16";
    case Quantity::tensor_tf32: return "tensor_tf32";
    case Quantity::tensor_half: return "tensor_half";
    case Quantity::tensor_fp64: return "tensor_fp64";
    case Quantity::tensor_int8: return "tensor_int8";
    case Quantity::tensor_narrow: return "tensor_narrow";
    case Quantity::dram_bytes_read: return "dram_bytes_read";
    case Quantity::dram_bytes_write: return "dram_bytes_write";
    case Quantity::seconds: return "seconds";
    case Quantity::sm_hz: return "sm_hz";
    case Quantity::dram_hz: return "dram_hz";
    case Quantity::peak_ffma: return "peak_ffma";
    case Quantity::peak_dram_bytes: return "peak_dram_bytes";
    }
    throw std::logic_error("unknown quantity");
}

const std::array<Quantity, quantity_count>& all_quantities() {
    static const std::array<Quantity, quantity_count> all = [] {
        std::array<Quantity, quantity_count> quantities{};
        for (std::size_t i = 0; i < quantity_count; ++i)
            quantities.at(i) = static_cast<Quantity>(i);
        return quantities;
    }();
    return all;
}

std::vector<Quantity> Counts::lacking() const {
    std::vector<Quantity> missing;
    for (const Quantity quantity : all_quantities())
        if (!has(quantity))
            missing.push_back(quantity);
    return missing;
}

} // namespace cudabench::counters
