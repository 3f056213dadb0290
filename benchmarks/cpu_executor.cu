// What benchmarks/cpu_executor.cpp interprets.
#include <cub/block/block_radix_sort.cuh>

extern "C" {

__global__ void elementwise(const float* x, float* y, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] = 2.0F * x[i] + y[i];
}

/// n x n, n a multiple of 16, blocks of 16 x 16.
__global__ void tiled_gemm(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[16][16];
    __shared__ float tile_b[16][16];
    const int row = static_cast<int>(blockIdx.y * 16 + threadIdx.y);
    const int column = static_cast<int>(blockIdx.x * 16 + threadIdx.x);
    float sum = 0;
    for (int tile = 0; tile < n; tile += 16) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + tile + static_cast<int>(threadIdx.x)];
        tile_b[threadIdx.y][threadIdx.x] = b[(tile + static_cast<int>(threadIdx.y)) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void reduction(const float* in, float* out, int n) {
    __shared__ float of_warps[32];
    float sum = 0;
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += static_cast<int>(gridDim.x * blockDim.x))
        sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFU, sum, distance);
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned warp = 1; warp < blockDim.x / 32; ++warp)
            sum += of_warps[warp];
        atomicAdd(out, sum);
    }
}

/// Runs of 2048 keys, 256 threads each.
__global__ void sort(unsigned* keys) {
    using Sort = cub::BlockRadixSort<unsigned, 256, 8>;
    __shared__ typename Sort::TempStorage storage;
    unsigned own[8];
    unsigned* const run = keys + blockIdx.x * 2048 + threadIdx.x * 8;
    for (int i = 0; i < 8; ++i)
        own[i] = run[i];
    Sort(storage).Sort(own);
    for (int i = 0; i < 8; ++i)
        run[i] = own[i];
}

} // extern "C"
