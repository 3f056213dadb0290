#include <cstdint>

// Kernels that do one thing as fast as plain code can. Each thread's results depend on what it was given, so that
// nothing can be left out, and are never written.

extern "C" __global__ void cudabench_sustained_copy(const float4* from, float4* to, std::uint64_t count) {
    const std::uint64_t step = gridDim.x * static_cast<std::uint64_t>(blockDim.x);
    for (std::uint64_t i = blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x; i < count;
         i += 4 * step) {
        float4 vectors[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            if (i + k * step < count)
                vectors[k] = from[i + k * step];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            if (i + k * step < count)
                to[i + k * step] = vectors[k];
    }
}

namespace {
/// 8 independent chains of multiply-adds, which hide each other's latency.
template <typename Number> __device__ void multiply_add(Number factor, unsigned iterations, Number* never_written) {
    Number sums[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
        sums[k] = static_cast<Number>(threadIdx.x + static_cast<unsigned>(k));
    for (unsigned i = 0; i < iterations; ++i)
#pragma unroll
        for (int k = 0; k < 8; ++k)
            sums[k] = sums[k] * factor + factor;
    Number sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k)
        sum += sums[k];
    if (sum == static_cast<Number>(-1))
        *never_written = sum;
}
} // namespace

extern "C" __global__ void cudabench_sustained_fp32(float factor, unsigned iterations, float* never_written) {
    multiply_add(factor, iterations, never_written);
}

extern "C" __global__ void cudabench_sustained_fp64(double factor, unsigned iterations, double* never_written) {
    multiply_add(factor, iterations, never_written);
}

/// 16 x 8 x 8 products of a warp by mma.sync, 8 independent ones in turn; nothing before compute capability 8.0.
extern "C" __global__ void cudabench_sustained_tf32(unsigned bits, unsigned iterations, float* never_written) {
#if __CUDA_ARCH__ >= 800
    float sums[8][4] = {};
    for (unsigned i = 0; i < iterations; ++i)
#pragma unroll
        for (auto& sum : sums)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, "
                         "{%0,%1,%2,%3};"
                         : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                         : "r"(bits));
    float total = 0;
    for (const auto& sum : sums)
        total += sum[0] + sum[1] + sum[2] + sum[3];
    if (total == -1.0f)
        *never_written = total;
#endif
}
