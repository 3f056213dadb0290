#include <cstdint>

namespace {
__device__ std::uint64_t nanoseconds() {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
} // namespace

/// The least that a recipe can hold.
extern "C" __global__ void cudabench_empty() {}

/// Reads `count` vectors, so that the L2 holds nothing else, and no line that must be written back.
extern "C" __global__ void cudabench_sweep(const float4* memory, std::uint64_t count, float* never_written) {
    float sum = 0;
    const std::uint64_t step = gridDim.x * static_cast<std::uint64_t>(blockDim.x);
    for (std::uint64_t i = blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
        const float4 vector = memory[i];
        sum += vector.x + vector.y + vector.z + vector.w;
    }
    if (sum == 1.0f) // the memory holds zeros
        *never_written = sum;
}

/// Clock cycles of one multiprocessor and nanoseconds, over about `duration` ns. Starts and ends at a tick of the
/// nanosecond timer, which may be as coarse as 1 us.
extern "C" __global__ void cudabench_clock_probe(std::uint64_t duration, std::uint64_t* cycles_and_nanoseconds) {
    const std::uint64_t before = nanoseconds();
    std::uint64_t start = before;
    while (start == before)
        start = nanoseconds();
    const long long start_cycle = clock64();
    std::uint64_t end = start;
    while (end - start < duration)
        end = nanoseconds();
    cycles_and_nanoseconds[0] = static_cast<std::uint64_t>(clock64() - start_cycle);
    cycles_and_nanoseconds[1] = end - start;
}
