// Sums in double precision: one a block, then one block adds these.

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1024;

struct Identity {
    static __device__ double of(float value) { return value; }
    static __device__ double finish(double sum, int) { return sum; }
};

// sqrt(N) ||input||
struct Norm {
    static __device__ double of(float value) { return static_cast<double>(value) * value; }
    static __device__ double finish(double sum, int N) { return sqrt(sum * N); }
};

// The sum over the threads of a block, for its first thread.
__device__ double sum_of_block(double value) {
    __shared__ double sums[threads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    return sums[0];
}

template <typename Map> __global__ void sum_parts(const float* input, double* parts, int N) {
    double sum = 0;
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < N; i += gridDim.x * threads) {
        sum += Map::of(input[i]);
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
    }
}

template <typename Map> __global__ void sum_all(const double* parts, int count, float* output, int N) {
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += threads) {
        sum += parts[i];
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        output[0] = static_cast<float>(Map::finish(sum, N));
    }
}

template <typename Map> void reduce(const float* input, float* output, int N) {
    const int blocks = N / threads < most_blocks ? N / threads + 1 : most_blocks;
    double* parts = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&parts), blocks * sizeof(double));
    sum_parts<Map><<<blocks, threads>>>(input, parts, N);
    sum_all<Map><<<1, threads>>>(parts, blocks, output, N);
    cudaFree(parts);
}

} // namespace

extern "C" void solve(const float* input, float* output, int N) {
    reduce<Identity>(input, output, N);
}

extern "C" void magnitude(const float* input, float* output, int N) {
    reduce<Norm>(input, output, N);
}
