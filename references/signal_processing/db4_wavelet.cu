// One level of Daubechies' four-tap transform; one thread an approximation and a detail, sums in double precision.

namespace {

constexpr int threads = 256;

struct Plain {
    __device__ double operator()(double product) const { return product; }
};

struct Absolute {
    __device__ double operator()(double product) const { return fabs(product); }
};

template <typename Map> __global__ void split(const float* input, float* output, int N, Map map) {
    const int pair = blockIdx.x * threads + threadIdx.x;
    const int pairs = N / 2 + N % 2;
    if (pair >= pairs) {
        return;
    }
    const double root = sqrt(3.0);
    const double scale = 4 * sqrt(2.0);
    const double low[4] = {(1 + root) / scale, (3 + root) / scale, (3 - root) / scale, (1 - root) / scale};
    double approximation = 0;
    double detail = 0;
    for (int k = 0; k < 4; ++k) {
        const double value = input[min(2 * pair + k, N - 1)];
        approximation += map(low[k] * value);
        detail += map((k % 2 == 0 ? low[3 - k] : -low[3 - k]) * value);
    }
    output[pair] = static_cast<float>(approximation);
    output[pairs + pair] = static_cast<float>(detail);
}

int blocks(int N) {
    return (N / 2 + N % 2 + threads - 1) / threads;
}

} // namespace

extern "C" void solve(const float* input, float* output, int N) {
    split<<<blocks(N), threads>>>(input, output, N, Plain{});
}

// The sum of |coefficient x value|.
extern "C" void magnitude(const float* input, float* output, int N) {
    split<<<blocks(N), threads>>>(input, output, N, Absolute{});
}
