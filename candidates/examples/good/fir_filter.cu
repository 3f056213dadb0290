// Taps in constant memory, the part of the signal that a block needs in shared memory, four values a thread.
constexpr int threads = 256;
constexpr int items = 4;
constexpr int tile = threads * items;
constexpr int most_taps = 1024;

__constant__ float constant_taps[most_taps];

__global__ __launch_bounds__(threads) void filter(const float* __restrict__ input, float* __restrict__ output, int n,
                                                  int num_taps) {
    extern __shared__ float signal[]; // from num_taps - 1 values before the tile
    const long long first = (long long)blockIdx.x * tile - (num_taps - 1);
    for (int i = threadIdx.x; i < tile + num_taps - 1; i += threads) {
        long long at = first + i;
        signal[i] = at >= 0 && at < n ? input[at] : 0.0f;
    }
    __syncthreads();
    float sum[items] = {};
    for (int k = 0; k < num_taps; ++k) {
        float tap = constant_taps[k];
#pragma unroll
        for (int i = 0; i < items; ++i)
            sum[i] += tap * signal[threadIdx.x + i * threads + num_taps - 1 - k];
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
        long long at = (long long)blockIdx.x * tile + threadIdx.x + i * threads;
        if (at < n)
            output[at] = sum[i];
    }
}

extern "C" void solve(const float* input, const float* taps, float* output, int N, int num_taps) {
    cudaMemcpyToSymbol(constant_taps, taps, num_taps * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    int blocks = (int)(((long long)N + tile - 1) / tile);
    filter<<<blocks, threads, (tile + num_taps - 1) * sizeof(float)>>>(input, output, N, num_taps);
}
