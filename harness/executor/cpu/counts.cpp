#include "executor/cpu/counts.h"

namespace cudabench::cpu {
namespace {

constexpr std::array<std::string_view, quantity_count> names = {"fp32",
                                                                "fp64",
                                                                "fp16",
                                                                "tensor_tf32",
                                                                "tensor_half",
                                                                "tensor_fp64",
                                                                "tensor_int8",
                                                                "tensor_narrow",
                                                                "sfu",
                                                                "int32",
                                                                "comparisons",
                                                                "thread_instructions",
                                                                "warp_instructions",
                                                                "divergent_branches",
                                                                "atomics",
                                                                "global_read_bytes",
                                                                "global_write_bytes",
                                                                "global_read_sectors",
                                                                "global_write_sectors",
                                                                "unique_read_sectors",
                                                                "unique_write_sectors",
                                                                "shared_read_bytes",
                                                                "shared_write_bytes",
                                                                "shared_wavefronts",
                                                                "bank_conflicts"};

} // namespace

std::string_view name(Quantity quantity) {
    return names.at(static_cast<std::size_t>(quantity));
}

Counts& Counts::operator+=(const Counts& other) {
    for (std::size_t i = 0; i < quantity_count; ++i)
        values[i] += other.values[i];
    return *this;
}

} // namespace cudabench::cpu
