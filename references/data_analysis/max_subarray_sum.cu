// Largest sum of a window as the largest difference of two prefix sums. These may wrap around 2^32; differences do not.

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

// One thread, as there are few: each sum becomes the sum of those before it.
__global__ void scan_sums(unsigned int* sums, int chunks) {
    unsigned int before = 0;
    for (int i = 0; i < chunks; ++i) {
        const unsigned int sum = sums[i];
        sums[i] = before;
        before += sum;
    }
}

__global__ void sum_chunks(const int* input, unsigned int* sums, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    const unsigned int sum = scan_block(index < N ? static_cast<unsigned int>(input[index]) : 0);
    if (threadIdx.x == chunk - 1) {
        sums[blockIdx.x] = sum;
    }
}

// prefix[i] is the sum of the first i values.
__global__ void scan_chunks(const int* input, const unsigned int* before, unsigned int* prefix, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    const unsigned int sum = scan_block(index < N ? static_cast<unsigned int>(input[index]) : 0);
    if (index < N) {
        prefix[index + 1] = before[blockIdx.x] + sum;
    }
    if (index == 0) {
        prefix[0] = 0;
    }
}

__global__ void set_least(int* output) {
    output[0] = -2147483647 - 1;
}

__global__ void compare(const unsigned int* prefix, int* output, int N, int window_size) {
    __shared__ int largest[chunk];
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    largest[threadIdx.x] = -2147483647 - 1;
    if (index + window_size <= N) {
        largest[threadIdx.x] = static_cast<int>(prefix[index + window_size] - prefix[index]);
    }
    __syncthreads();
    for (int half = chunk / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            largest[threadIdx.x] = max(largest[threadIdx.x], largest[threadIdx.x + half]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicMax(output, largest[0]);
    }
}

} // namespace

extern "C" void solve(const int* input, int* output, int N, int window_size) {
    const int chunks = static_cast<int>((static_cast<long long>(N) + chunk - 1) / chunk);
    unsigned int* sums = nullptr;
    unsigned int* prefix = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), static_cast<size_t>(chunks) * sizeof(unsigned int));
    cudaMalloc(reinterpret_cast<void**>(&prefix), (static_cast<size_t>(N) + 1) * sizeof(unsigned int));
    sum_chunks<<<chunks, chunk>>>(input, sums, N);
    scan_sums<<<1, 1>>>(sums, chunks);
    scan_chunks<<<chunks, chunk>>>(input, sums, prefix, N);
    set_least<<<1, 1>>>(output);
    compare<<<chunks, chunk>>>(prefix, output, N, window_size);
    cudaFree(sums);
    cudaFree(prefix);
}
