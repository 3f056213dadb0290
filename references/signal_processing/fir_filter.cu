// Causal FIR filter, zeros before the start; one thread an output, sums in double precision.

namespace {

struct Plain {
    __device__ double operator()(double product) const { return product; }
};

struct Absolute {
    __device__ double operator()(double product) const { return fabs(product); }
};

template <typename Map>
__global__ void filter(const float* input, const float* taps, float* output, int N, int num_taps, Map map) {
    const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (index >= N) {
        return;
    }
    double sum = 0;
    for (int k = 0; k < num_taps && k <= index; ++k) {
        sum += map(static_cast<double>(taps[k]) * input[index - k]);
    }
    output[index] = static_cast<float>(sum);
}

constexpr int threads = 256;

int blocks(int N) {
    return static_cast<int>((static_cast<long long>(N) + threads - 1) / threads);
}

} // namespace

extern "C" void solve(const float* input, const float* taps, float* output, int N, int num_taps) {
    filter<<<blocks(N), threads>>>(input, taps, output, N, num_taps, Plain{});
}

// The sum of |tap x value|.
extern "C" void magnitude(const float* input, const float* taps, float* output, int N, int num_taps) {
    filter<<<blocks(N), threads>>>(input, taps, output, N, num_taps, Absolute{});
}
