// Inclusive scan in three passes, in double precision: sums of chunks, scan of these sums, scan within the chunks.

namespace {

constexpr int chunk = 1024; // values, and threads of a block

struct Identity {
    __device__ double operator()(double value) const { return value; }
};

struct Square {
    __device__ double operator()(double value) const { return value * value; }
};

struct Plain {
    __device__ double operator()(double sum, int) const { return sum; }
};

// sqrt(i) ||first i values||
struct Norm {
    __device__ double operator()(double sum, int index) const { return sqrt((index + 1.0) * sum); }
};

// Inclusive scan over the threads of a block.
__device__ double scan_block(double value) {
    __shared__ double sums[chunk];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int distance = 1; distance < chunk; distance *= 2) {
        const double before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0.0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    return sums[threadIdx.x];
}

template <typename Map> __device__ double load(const float* input, int N, Map map) {
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    return index < N ? map(input[index]) : 0.0;
}

template <typename Map> __global__ void sum_chunks(const float* input, double* sums, int N, Map map) {
    const double sum = scan_block(load(input, N, map));
    if (threadIdx.x == chunk - 1) {
        sums[blockIdx.x] = sum;
    }
}

// One thread, as there are few: each sum becomes the sum of those before it.
__global__ void scan_sums(double* sums, int chunks) {
    double before = 0;
    for (int i = 0; i < chunks; ++i) {
        const double sum = sums[i];
        sums[i] = before;
        before += sum;
    }
}

template <typename Map, typename Finish>
__global__ void scan_chunks(const float* input, const double* before, float* output, int N, Map map, Finish finish) {
    const double sum = before[blockIdx.x] + scan_block(load(input, N, map));
    const long long index = static_cast<long long>(blockIdx.x) * chunk + threadIdx.x;
    if (index < N) {
        output[index] = static_cast<float>(finish(sum, static_cast<int>(index)));
    }
}

template <typename Map, typename Finish> void scan(const float* input, float* output, int N, Map map, Finish finish) {
    const int chunks = static_cast<int>((static_cast<long long>(N) + chunk - 1) / chunk);
    double* sums = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), chunks * sizeof(double));
    sum_chunks<<<chunks, chunk>>>(input, sums, N, map);
    scan_sums<<<1, 1>>>(sums, chunks);
    scan_chunks<<<chunks, chunk>>>(input, sums, output, N, map, finish);
    cudaFree(sums);
}

} // namespace

extern "C" void solve(const float* input, float* output, int N) {
    scan(input, output, N, Identity{}, Plain{});
}

extern "C" void magnitude(const float* input, float* output, int N) {
    scan(input, output, N, Square{}, Norm{});
}
