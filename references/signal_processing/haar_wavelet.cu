// Orthonormal Haar transform; one kernel a level, approximations in double precision.

namespace {

constexpr int threads = 256;

int blocks(int count) {
    return (count + threads - 1) / threads;
}

// Each result in terms of the pair; `level` is that of the results.
struct Value {
    static __device__ double first(float value) { return value; }
    static __device__ double approximation(double a, double b) { return (a + b) / sqrt(2.0); }
    static __device__ double detail(double a, double b) { return (a - b) / sqrt(2.0); }
    static __device__ double finish(double value, int) { return value; }
};

// The same of absolute values, times the level: each level adds its roundings.
struct Magnitude {
    static __device__ double first(float value) { return fabs(static_cast<double>(value)); }
    static __device__ double approximation(double a, double b) { return (a + b) / sqrt(2.0); }
    static __device__ double detail(double a, double b) { return (a + b) / sqrt(2.0); }
    static __device__ double finish(double value, int level) { return level * value; }
};

template <typename Of> __global__ void load(const float* input, double* values, int N) {
    const int index = blockIdx.x * threads + threadIdx.x;
    if (index < N) {
        values[index] = Of::first(input[index]);
    }
}

// From 2 `pairs` values; their details begin at index `pairs` of the output.
template <typename Of> __global__ void split(const double* values, double* next, float* output, int pairs, int level) {
    const int index = blockIdx.x * threads + threadIdx.x;
    if (index < pairs) {
        const double a = values[2 * index];
        const double b = values[2 * index + 1];
        next[index] = Of::approximation(a, b);
        output[pairs + index] = static_cast<float>(Of::finish(Of::detail(a, b), level));
    }
}

template <typename Of> __global__ void store(const double* values, float* output, int count, int level) {
    const int index = blockIdx.x * threads + threadIdx.x;
    if (index < count) {
        output[index] = static_cast<float>(Of::finish(values[index], level));
    }
}

template <typename Of> void transform(const float* input, float* output, int N, int levels) {
    double* values = nullptr;
    double* next = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&values), static_cast<size_t>(N) * sizeof(double));
    cudaMalloc(reinterpret_cast<void**>(&next), static_cast<size_t>(N / 2) * sizeof(double));
    load<Of><<<blocks(N), threads>>>(input, values, N);
    double* from = values;
    double* to = next;
    for (int level = 1; level <= levels; ++level) {
        const int pairs = N >> level;
        split<Of><<<blocks(pairs), threads>>>(from, to, output, pairs, level);
        double* const free = from;
        from = to;
        to = free;
    }
    store<Of><<<blocks(N >> levels), threads>>>(from, output, N >> levels, levels);
    cudaFree(values);
    cudaFree(next);
}

} // namespace

extern "C" void solve(const float* input, float* output, int N, int levels) {
    transform<Value>(input, output, N, levels);
}

extern "C" void magnitude(const float* input, float* output, int N, int levels) {
    transform<Magnitude>(input, output, N, levels);
}
