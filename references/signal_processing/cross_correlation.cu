// Cross-correlation at a range of lags, in double precision: one block a lag and part of the signals, then one block a
// lag.

namespace {

constexpr int threads = 256;
constexpr int most_parts = threads; // of the signals

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

struct Plain {
    __device__ double operator()(double product) const { return product; }
};

struct Square {
    __device__ double operator()(double product) const { return product * product; }
};

template <typename Map>
__global__ void sum_parts(const float* a, const float* b, double* sums, int N, int max_lag, Map map) {
    const int parts = static_cast<int>(gridDim.y);
    const long long lag = static_cast<long long>(blockIdx.x) - max_lag;
    double sum = 0;
    for (long long i = static_cast<long long>(blockIdx.y) * threads + threadIdx.x; i < N; i += parts * threads) {
        if (i + lag >= 0 && i + lag < N) {
            sum += map(static_cast<double>(a[i]) * b[i + lag]);
        }
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        sums[blockIdx.x * parts + blockIdx.y] = sum;
    }
}

__global__ void add_parts(const double* sums, int parts, float* output) {
    const double sum = sum_of_block(threadIdx.x < parts ? sums[blockIdx.x * parts + threadIdx.x] : 0.0);
    if (threadIdx.x == 0) {
        output[blockIdx.x] = static_cast<float>(sum);
    }
}

template <typename Map> void correlate(const float* a, const float* b, float* output, int N, int max_lag, Map map) {
    const int lags = 2 * max_lag + 1;
    const int parts = N < most_parts * threads ? (N + threads - 1) / threads : most_parts;
    double* sums = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), static_cast<size_t>(lags) * parts * sizeof(double));
    sum_parts<<<dim3(lags, parts), threads>>>(a, b, sums, N, max_lag, map);
    add_parts<<<lags, threads>>>(sums, parts, output);
    cudaFree(sums);
}

// |result| and the norm of the products
__global__ void join_sizes(const float* squares, float* output, int lags) {
    const int lag = blockIdx.x * threads + threadIdx.x;
    if (lag < lags) {
        output[lag] = fabsf(output[lag]) + sqrtf(squares[lag]);
    }
}

} // namespace

extern "C" void solve(const float* a, const float* b, float* output, int N, int max_lag) {
    correlate(a, b, output, N, max_lag, Plain{});
}

extern "C" void magnitude(const float* a, const float* b, float* output, int N, int max_lag) {
    const int lags = 2 * max_lag + 1;
    float* squares = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&squares), lags * sizeof(float));
    correlate(a, b, output, N, max_lag, Plain{});
    correlate(a, b, squares, N, max_lag, Square{});
    join_sizes<<<(lags + threads - 1) / threads, threads>>>(squares, output, lags);
    cudaFree(squares);
}
