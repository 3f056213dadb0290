// Correlation of each channel with a square matrix of weights, zeros outside; one thread a value, sums in double
// precision.

namespace {

constexpr int threads = 256;

struct Plain {
    __device__ double operator()(double product) const { return product; }
};

struct Absolute {
    __device__ double operator()(double product) const { return fabs(product); }
};

template <typename Map>
__global__ void convolve(const float* input, const float* kernel, float* output, int rows, int cols, int channels,
                         int kernel_size, Map map) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    const int width = cols * channels;
    if (index >= static_cast<long long>(rows) * width) {
        return;
    }
    const int row = static_cast<int>(index / width);
    const int col = static_cast<int>(index % width) / channels;
    const int channel = static_cast<int>(index % width) % channels;
    const int half = kernel_size / 2;
    double sum = 0;
    for (int m = 0; m < kernel_size; ++m) {
        for (int n = 0; n < kernel_size; ++n) {
            const int y = row + m - half;
            const int x = col + n - half;
            if (y >= 0 && y < rows && x >= 0 && x < cols) {
                const double value = input[static_cast<long long>(y) * width + x * channels + channel];
                sum += map(kernel[m * kernel_size + n] * value);
            }
        }
    }
    output[index] = static_cast<float>(sum);
}

template <typename Map>
void launch(const float* input, const float* kernel, float* output, int rows, int cols, int channels, int kernel_size,
            Map map) {
    const long long values = static_cast<long long>(rows) * cols * channels;
    const int blocks = static_cast<int>((values + threads - 1) / threads);
    convolve<<<blocks, threads>>>(input, kernel, output, rows, cols, channels, kernel_size, map);
}

} // namespace

extern "C" void solve(const float* input, const float* kernel, float* output, int rows, int cols, int channels,
                      int kernel_size) {
    launch(input, kernel, output, rows, cols, channels, kernel_size, Plain{});
}

// The sum of |weight x value|.
extern "C" void magnitude(const float* input, const float* kernel, float* output, int rows, int cols, int channels,
                          int kernel_size) {
    launch(input, kernel, output, rows, cols, channels, kernel_size, Absolute{});
}
