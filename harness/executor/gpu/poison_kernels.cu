#include "verify/poison_word.h"

#include <cstdint>

namespace {

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): every input bit moves about half of the output bits.
__device__ std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// The word at `index` (position / 4); `pattern` as PoisonPattern.
__device__ std::uint32_t word(std::uint64_t index, std::uint32_t pattern, std::uint64_t seed) {
    const auto bits = static_cast<std::uint32_t>(mix(seed + (index + 1) * 0x9e3779b97f4a7c15u) >> 32);
    return pattern == 0 ? cudabench::verify::poison_word(seed) : bits;
}

__device__ std::uint8_t byte_of(std::uint64_t position, std::uint32_t pattern, std::uint64_t seed) {
    return static_cast<std::uint8_t>(word(position / 4, pattern, seed) >> (8 * (position % 4)));
}

__device__ std::uint64_t thread() {
    return blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x;
}
__device__ std::uint64_t threads() {
    return gridDim.x * static_cast<std::uint64_t>(blockDim.x);
}

} // namespace

extern "C" __global__ void cudabench_poison_fill(std::uint8_t* memory, std::uint64_t bytes, std::uint32_t pattern,
                                                 std::uint64_t seed) {
    const std::uint64_t words = bytes / 4;
    auto* const as_words = reinterpret_cast<std::uint32_t*>(memory);
    for (std::uint64_t i = thread(); i < words; i += threads())
        as_words[i] = word(i, pattern, seed);
    for (std::uint64_t i = 4 * words + thread(); i < bytes; i += threads())
        memory[i] = byte_of(i, pattern, seed);
}

extern "C" __global__ void cudabench_poison_count(const std::uint8_t* memory, std::uint64_t bytes,
                                                  std::uint64_t skip_from, std::uint64_t skip_bytes,
                                                  std::uint32_t pattern, std::uint64_t seed,
                                                  unsigned long long* changed) {
    const std::uint64_t checked = bytes - skip_bytes;
    for (std::uint64_t i = thread(); i < checked; i += threads()) {
        const std::uint64_t position = i < skip_from ? i : i + skip_bytes;
        if (memory[position] != byte_of(position, pattern, seed))
            atomicAdd(changed, 1ull);
    }
}
