// Sums of blocks go to the host, which scans them and sends the offsets back: correct, and host-dependent.
#include <vector>

constexpr int threads = 256;
constexpr int tile = 8192;

__global__ void sum_tiles(const float* input, double* sums, int n) {
    __shared__ double partial[threads];
    long long first = (long long)blockIdx.x * tile;
    double sum = 0;
    for (int i = threadIdx.x; i < tile; i += threads)
        if (first + i < n)
            sum += input[first + i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int offset = threads / 2; offset > 0; offset /= 2) {
        if (threadIdx.x < offset)
            partial[threadIdx.x] += partial[threadIdx.x + offset];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = partial[0];
}

__global__ void scan_tiles(const float* input, const double* offsets, float* output, int n) {
    __shared__ double partial[threads];
    constexpr int items = tile / threads;
    long long first = (long long)blockIdx.x * tile + threadIdx.x * items;
    double sum = 0;
    for (int i = 0; i < items; ++i)
        if (first + i < n)
            sum += input[first + i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    double before = offsets[blockIdx.x];
    for (int i = 0; i < threadIdx.x; ++i)
        before += partial[i];
    for (int i = 0; i < items; ++i)
        if (first + i < n) {
            before += input[first + i];
            output[first + i] = (float)before;
        }
}

extern "C" void solve(const float* input, float* output, int N) {
    int tiles = (int)(((long long)N + tile - 1) / tile);
    double* device_sums;
    cudaMalloc(&device_sums, tiles * sizeof(double));
    sum_tiles<<<tiles, threads>>>(input, device_sums, N);
    std::vector<double> sums(tiles);
    cudaMemcpy(sums.data(), device_sums, tiles * sizeof(double), cudaMemcpyDeviceToHost);
    double offset = 0;
    for (double& sum : sums) {
        double own = sum;
        sum = offset;
        offset += own;
    }
    cudaMemcpy(device_sums, sums.data(), tiles * sizeof(double), cudaMemcpyHostToDevice);
    scan_tiles<<<tiles, threads>>>(input, device_sums, output, N);
    cudaFree(device_sums);
}
