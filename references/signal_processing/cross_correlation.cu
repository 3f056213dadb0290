// Cross-correlation at a range of lags, in double precision: one block a lag and part of the signals, then one block a
// lag.

namespace {

constexpr int threads = 256;
constexpr int most_parts = threads; // of the signals

struct Sums {
    double products;
    double squares; // of the products
};

__device__ Sums sum_of_block(Sums value) {
    __shared__ Sums sums[threads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x].products += sums[threadIdx.x + half].products;
            sums[threadIdx.x].squares += sums[threadIdx.x + half].squares;
        }
        __syncthreads();
    }
    return sums[0];
}

__global__ void sum_parts(const float* a, const float* b, Sums* sums, int N, int max_lag) {
    const int parts = static_cast<int>(gridDim.y);
    const long long lag = static_cast<long long>(blockIdx.x) - max_lag;
    Sums sum = {};
    for (long long i = static_cast<long long>(blockIdx.y) * threads + threadIdx.x; i < N; i += parts * threads) {
        if (i + lag >= 0 && i + lag < N) {
            const double product = static_cast<double>(a[i]) * b[i + lag];
            sum.products += product;
            sum.squares += product * product;
        }
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        sums[blockIdx.x * parts + blockIdx.y] = sum;
    }
}

struct Value {
    static __device__ double of(const Sums& sum) { return sum.products; }
};

// |result| and the norm of the products
struct Size {
    static __device__ double of(const Sums& sum) { return fabs(sum.products) + sqrt(sum.squares); }
};

template <typename Of> __global__ void add_parts(const Sums* sums, int parts, float* output) {
    const Sums sum = sum_of_block(threadIdx.x < parts ? sums[blockIdx.x * parts + threadIdx.x] : Sums{});
    if (threadIdx.x == 0) {
        output[blockIdx.x] = static_cast<float>(Of::of(sum));
    }
}

template <typename Of> void correlate(const float* a, const float* b, float* output, int N, int max_lag) {
    const int lags = 2 * max_lag + 1;
    const int parts = N < most_parts * threads ? (N + threads - 1) / threads : most_parts;
    Sums* sums = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), static_cast<size_t>(lags) * parts * sizeof(Sums));
    sum_parts<<<dim3(lags, parts), threads>>>(a, b, sums, N, max_lag);
    add_parts<Of><<<lags, threads>>>(sums, parts, output);
    cudaFree(sums);
}

} // namespace

extern "C" void solve(const float* a, const float* b, float* output, int N, int max_lag) {
    correlate<Value>(a, b, output, N, max_lag);
}

extern "C" void magnitude(const float* a, const float* b, float* output, int N, int max_lag) {
    correlate<Size>(a, b, output, N, max_lag);
}
