// Kernels whose operations are known, an element or a step a thread; blocks of 256. Each is called with the same
// arguments: two arrays and the number of threads.
#include <cstdint>

namespace {
__device__ unsigned index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
} // namespace

/// 8 bytes read, 4 written and a multiply-add an element.
extern "C" __global__ void counted_axpy(const float* x, float* y, unsigned count) {
    if (const unsigned i = index(); i < count)
        y[i] = __fmaf_rn(2.0f, x[i], y[i]);
}

extern "C" __global__ void counted_copy(const float4* x, float4* y, unsigned count) {
    if (const unsigned i = index(); i < count)
        y[i] = x[i];
}

/// 256 multiply-adds, 256 additions and 256 multiplications a thread.
extern "C" __global__ void counted_fp32(const float* x, float* y, unsigned count) {
    const unsigned i = index();
    float value = x[i % 1024];
    for (int k = 0; k < 256; ++k) {
        value = __fmaf_rn(value, 0.5f, 1.0f);
        value = __fadd_rn(value, 0.25f);
        value = __fmul_rn(value, 0.75f);
    }
    if (i < count)
        y[i] = value;
}

/// 64 multiply-adds and 64 additions in double precision a thread of the first half; the others have nothing to do.
extern "C" __global__ void counted_fp64(const float* x, double* y, unsigned count) {
    const unsigned i = index();
    if (i >= count / 2)
        return;
    double value = i;
    for (int k = 0; k < 64; ++k) {
        value = __fma_rn(value, 0.5, 1.0);
        value = __dadd_rn(value, 0.25);
    }
    y[i] = value;
}

/// 256 multiply-adds of two half-precision numbers each a thread; the counters take such an instruction as one.
extern "C" __global__ void counted_half(const std::uint32_t* x, std::uint32_t* y, unsigned count) {
    const unsigned i = index();
    std::uint32_t value = x[i % 1024];
    for (int k = 0; k < 256; ++k)
        asm volatile("fma.rn.f16x2 %0, %0, %0, %1;" : "+r"(value) : "r"(k));
    if (i < count)
        y[i] = value;
}

/// 128 products of 16 x 8 x 8 a warp, factors in TF32.
extern "C" __global__ void counted_tf32(const std::uint32_t* x, float* y, unsigned count) {
    const unsigned i = index();
    const std::uint32_t bits = x[i % 1024];
    float sum[4] = {};
    for (int k = 0; k < 128; ++k)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                     : "r"(bits));
    if (i < count)
        y[i] = sum[0];
}

/// 128 products of 16 x 8 x 16 a warp, factors in half precision.
extern "C" __global__ void counted_half_products(const std::uint32_t* x, float* y, unsigned count) {
    const unsigned i = index();
    const std::uint32_t bits = x[i % 1024];
    float sum[4] = {};
    for (int k = 0; k < 128; ++k)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                     : "r"(bits));
    if (i < count)
        y[i] = sum[0];
}

/// A histogram by atomic additions; 4 bytes read an element.
extern "C" __global__ void counted_atomics(const std::uint32_t* x, std::uint32_t* bins, unsigned count) {
    if (const unsigned i = index(); i < count)
        atomicAdd(&bins[(x[i] + i) % 4096], 1U);
}

/// A square matrix of four elements a thread, by tiles of 32 x 32 in shared memory; 4 bytes read and 4 written an
/// element.
extern "C" __global__ void counted_transpose(const float* x, float* y, unsigned count) {
    __shared__ float tile[32][33];
    unsigned side = 32;
    while (side * side < 4 * count)
        side *= 2;
    const unsigned column = threadIdx.x % 32;
    const unsigned tile_x = blockIdx.x % (side / 32) * 32;
    const unsigned tile_y = blockIdx.x / (side / 32) * 32;
    for (unsigned row = threadIdx.x / 32; row < 32; row += 8)
        tile[row][column] = x[(tile_y + row) * side + tile_x + column];
    __syncthreads();
    for (unsigned row = threadIdx.x / 32; row < 32; row += 8)
        y[(tile_x + row) * side + tile_y + column] = tile[column][row];
}

/// Five additions a thread by shuffles, and an atomic one a warp, which no pipe of a multiprocessor does; 4 bytes read
/// an element.
extern "C" __global__ void counted_reduction(const float* x, float* sum, unsigned count) {
    const unsigned i = index();
    float value = i < count ? x[i] : 0.0f;
    for (int step = 16; step > 0; step /= 2)
        value = __fadd_rn(value, __shfl_xor_sync(~0U, value, step));
    if (threadIdx.x % 32 == 0 || value != value) // never; or only the thread that uses it did the last addition
        atomicAdd(sum, value);
}
