// Run-length encoding: elements that differ from their predecessor are numbered by a scan and write down where their
// run starts; lengths are differences of starts.

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

__device__ bool begins(const int* input, long long index, int N) {
    return index < N && (index == 0 || input[index] != input[index - 1]);
}

__global__ void count_runs(const int* input, unsigned int* counts, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    const unsigned int count = scan_block(begins(input, index, N));
    if (threadIdx.x == chunk - 1) {
        counts[blockIdx.x] = count;
    }
}

__global__ void write_starts(const int* input, const unsigned int* before, int* values, int* starts, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    const bool first = begins(input, index, N);
    const unsigned int number = scan_block(first);
    if (first) {
        const unsigned int run = before[blockIdx.x] + number - 1;
        values[run] = input[index];
        starts[run] = static_cast<int>(index);
    }
}

__global__ void write_lengths(const int* starts, const int* count, int* lengths, int N) {
    const long long run = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    if (run < *count) {
        lengths[run] = (run + 1 < *count ? starts[run + 1] : N) - starts[run];
    }
}

} // namespace

extern "C" void solve(const int* input, int* values, int* lengths, int* count, int N) {
    const int chunks = static_cast<int>((static_cast<long long>(N) + chunk - 1) / chunk);
    const size_t bytes = static_cast<size_t>(N) * sizeof(int);
    unsigned int* counts = nullptr;
    int* starts = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&counts), static_cast<size_t>(chunks) * sizeof(unsigned int));
    cudaMalloc(reinterpret_cast<void**>(&starts), bytes);
    cudaMemset(values, 0, bytes);
    cudaMemset(lengths, 0, bytes);
    count_runs<<<chunks, chunk>>>(input, counts, N);
    scan_sums<<<1, 1>>>(counts, chunks, count);
    write_starts<<<chunks, chunk>>>(input, counts, values, starts, N);
    write_lengths<<<chunks, chunk>>>(starts, count, lengths, N);
    cudaFree(counts);
    cudaFree(starts);
}
