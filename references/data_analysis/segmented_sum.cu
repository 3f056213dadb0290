// Sums of segments: heads are numbered by a scan and write down where their segment starts; one thread adds up a
// segment, in double precision.

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

__device__ bool begins(const unsigned char* heads, long long index, int N) {
    return index < N && (index == 0 || heads[index] != 0);
}

__global__ void count_heads(const unsigned char* heads, unsigned int* counts, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    const unsigned int count = scan_block(begins(heads, index, N));
    if (threadIdx.x == chunk - 1) {
        counts[blockIdx.x] = count;
    }
}

__global__ void write_starts(const unsigned char* heads, const unsigned int* before, int* starts, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    const bool first = begins(heads, index, N);
    const unsigned int number = scan_block(first);
    if (first) {
        starts[before[blockIdx.x] + number - 1] = static_cast<int>(index);
    }
}

struct Sum {
    static __device__ double of(float value) { return value; }
    static __device__ double finish(double sum, int) { return sum; }
};

// sqrt(n) ||values||
struct Norm {
    static __device__ double of(float value) { return static_cast<double>(value) * value; }
    static __device__ double finish(double sum, int n) { return sqrt(sum * n); }
};

template <typename Map>
__global__ void add_up(const float* values, const int* starts, const int* count, float* sums, int N) {
    const long long segment = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    if (segment >= *count) {
        return;
    }
    const int start = starts[segment];
    const int end = segment + 1 < *count ? starts[segment + 1] : N;
    double sum = 0;
    for (int i = start; i < end; ++i) {
        sum += Map::of(values[i]);
    }
    sums[segment] = static_cast<float>(Map::finish(sum, end - start));
}

template <typename Map>
void sum_segments(const float* values, const unsigned char* heads, float* sums, int* count, int N) {
    const int chunks = static_cast<int>((static_cast<long long>(N) + chunk - 1) / chunk);
    unsigned int* counts = nullptr;
    int* starts = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&counts), static_cast<size_t>(chunks) * sizeof(unsigned int));
    cudaMalloc(reinterpret_cast<void**>(&starts), static_cast<size_t>(N) * sizeof(int));
    cudaMemset(sums, 0, static_cast<size_t>(N) * sizeof(float));
    count_heads<<<chunks, chunk>>>(heads, counts, N);
    scan_sums<<<1, 1>>>(counts, chunks, count);
    write_starts<<<chunks, chunk>>>(heads, counts, starts, N);
    add_up<Map><<<chunks, chunk>>>(values, starts, count, sums, N);
    cudaFree(counts);
    cudaFree(starts);
}

} // namespace

extern "C" void solve(const float* values, const unsigned char* heads, float* sums, int* count, int N) {
    sum_segments<Sum>(values, heads, sums, count, N);
}

extern "C" void magnitude(const float* values, const unsigned char* heads, float* sums, int* count, int N) {
    sum_segments<Norm>(values, heads, sums, count, N);
}
