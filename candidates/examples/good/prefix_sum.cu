// Three passes: sums of blocks, their exclusive scan (recursively), and the scan of each block with its offset.
constexpr int threads = 256;
constexpr int items = 8;
constexpr int tile = threads * items;

__device__ float scan_of_block(float value, float* total) {
    __shared__ float warps[threads / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int offset = 1; offset < 32; offset *= 2) {
        float other = __shfl_up_sync(~0u, value, offset);
        if (lane >= offset)
            value += other;
    }
    if (lane == 31)
        warps[warp] = value;
    __syncthreads();
    float before = 0, all = 0;
    for (int i = 0; i < threads / 32; ++i) {
        if (i < warp)
            before += warps[i];
        all += warps[i];
    }
    *total = all;
    return before + value;
}

__global__ void sum_tiles(const float* input, float* sums, int n) {
    float sum = 0, total;
    long long first = (long long)blockIdx.x * tile;
    for (int i = 0; i < items; ++i) {
        long long at = first + i * threads + threadIdx.x;
        if (at < n)
            sum += input[at];
    }
    scan_of_block(sum, &total);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

__global__ void scan_tiles(const float* input, const float* inclusive_sums, float* output, int n) {
    __shared__ float values[tile];
    long long first = (long long)blockIdx.x * tile;
    for (int i = threadIdx.x; i < tile; i += threads)
        values[i] = first + i < n ? input[first + i] : 0.0f;
    __syncthreads();
    float own[items], sum = 0, total;
    for (int i = 0; i < items; ++i) {
        sum += values[threadIdx.x * items + i];
        own[i] = sum;
    }
    float before = scan_of_block(sum, &total) - sum;
    if (inclusive_sums && blockIdx.x > 0)
        before += inclusive_sums[blockIdx.x - 1];
    __syncthreads();
    for (int i = 0; i < items; ++i)
        values[threadIdx.x * items + i] = own[i] + before;
    __syncthreads();
    for (int i = threadIdx.x; i < tile; i += threads)
        if (first + i < n)
            output[first + i] = values[i];
}

static void scan(const float* input, float* output, int n) {
    int tiles = (int)(((long long)n + tile - 1) / tile);
    float* sums = nullptr;
    if (tiles > 1) {
        cudaMalloc(&sums, tiles * sizeof(float));
        sum_tiles<<<tiles, threads>>>(input, sums, n);
        scan(sums, sums, tiles);
    }
    scan_tiles<<<tiles, threads>>>(input, sums, output, n);
    cudaFree(sums);
}

extern "C" void solve(const float* input, float* output, int N) {
    scan(input, output, N);
}
