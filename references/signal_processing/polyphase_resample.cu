// Resampling by a rational factor; one thread an output, sums in double precision.

namespace {

constexpr int threads = 256;

struct Plain {
    __device__ double operator()(double product) const { return product; }
};

struct Absolute {
    __device__ double operator()(double product) const { return fabs(product); }
};

template <typename Map>
__global__ void resample(const float* input, const float* taps, float* output, long long outputs, int N, int num_taps,
                         int up, int down, Map map) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index >= outputs) {
        return;
    }
    const long long position = index * down; // at the raised rate
    double sum = 0;
    for (long long n = position / up; n >= 0 && position - n * up < num_taps; --n) {
        if (n < N) {
            sum += map(static_cast<double>(input[n]) * taps[position - n * up]);
        }
    }
    output[index] = static_cast<float>(sum);
}

template <typename Map>
void launch(const float* input, const float* taps, float* output, int N, int num_taps, int up, int down, Map map) {
    const long long outputs = (static_cast<long long>(N) * up + down - 1) / down;
    const int blocks = static_cast<int>((outputs + threads - 1) / threads);
    resample<<<blocks, threads>>>(input, taps, output, outputs, N, num_taps, up, down, map);
}

} // namespace

extern "C" void solve(const float* input, const float* taps, float* output, int N, int num_taps, int up, int down) {
    launch(input, taps, output, N, num_taps, up, down, Plain{});
}

// The sum of |tap x value|.
extern "C" void magnitude(const float* input, const float* taps, float* output, int N, int num_taps, int up, int down) {
    launch(input, taps, output, N, num_taps, up, down, Absolute{});
}
