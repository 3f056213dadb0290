// Stable compaction in three passes: counts of chunks, scan of these counts, and a scan within the chunks for the
// places.

namespace {

constexpr int chunk = 1024; // elements, and threads of a block

// Inclusive sum over the threads of a block.
__device__ unsigned int scan_block(unsigned int value) {
    __shared__ unsigned int sums[chunk];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int distance = 1; distance < chunk; distance *= 2) {
        const unsigned int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    return sums[threadIdx.x];
}

// One thread, as there are few: each sum becomes the sum of those before it, and total[0] the sum of all.
__global__ void scan_sums(unsigned int* sums, int chunks, int* total) {
    unsigned int before = 0;
    for (int i = 0; i < chunks; ++i) {
        const unsigned int sum = sums[i];
        sums[i] = before;
        before += sum;
    }
    total[0] = static_cast<int>(before);
}

__global__ void count_kept(const float* input, unsigned int* counts, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    const unsigned int count = scan_block(index < N && input[index] > 0);
    if (threadIdx.x == chunk - 1) {
        counts[blockIdx.x] = count;
    }
}

__global__ void write_kept(const float* input, const unsigned int* before, float* output, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    const bool kept = index < N && input[index] > 0;
    const unsigned int number = scan_block(kept);
    if (kept) {
        output[before[blockIdx.x] + number - 1] = input[index];
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int* count, int N) {
    const int chunks = static_cast<int>((static_cast<long long>(N) + chunk - 1) / chunk);
    unsigned int* counts = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&counts), static_cast<size_t>(chunks) * sizeof(unsigned int));
    cudaMemset(output, 0, static_cast<size_t>(N) * sizeof(float));
    count_kept<<<chunks, chunk>>>(input, counts, N);
    scan_sums<<<1, 1>>>(counts, chunks, count);
    write_kept<<<chunks, chunk>>>(input, counts, output, N);
    cudaFree(counts);
}
