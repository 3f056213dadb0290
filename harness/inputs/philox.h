#pragma once

#include "inputs/host_device.h"

#include <cstdint>

/// Philox4x32-10, a counter-based random number generator: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as
/// easy as 1, 2, 3", SC 2011. Any block of a stream is had without those before it, on CPU and GPU alike.
namespace cudabench {

/// 128 bits: a counter, or the random bits that belong to it.
struct PhiloxBlock {
    std::uint32_t word[4];
    bool operator==(const PhiloxBlock&) const = default;
};

[[nodiscard]] CUDABENCH_HOST_DEVICE inline PhiloxBlock philox(PhiloxBlock counter, std::uint64_t key) {
    constexpr int rounds = 10;
    constexpr std::uint64_t multiplier0 = 0xD2511F53U;
    constexpr std::uint64_t multiplier1 = 0xCD9E8D57U;
    constexpr std::uint32_t weyl0 = 0x9E3779B9U;
    constexpr std::uint32_t weyl1 = 0xBB67AE85U;

    auto key0 = static_cast<std::uint32_t>(key);
    auto key1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < rounds; ++round) {
        const std::uint64_t product0 = multiplier0 * counter.word[0];
        const std::uint64_t product1 = multiplier1 * counter.word[2];
        counter = {{static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key0,
                    static_cast<std::uint32_t>(product1),
                    static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key1,
                    static_cast<std::uint32_t>(product0)}};
        key0 += weyl0;
        key1 += weyl1;
    }
    return counter;
}

} // namespace cudabench
