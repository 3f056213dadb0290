// Correlation of an image with a matrix of weights, zero outside the image; one thread a pixel, sums in double
// precision.

namespace {

struct Plain {
    __device__ double operator()(double product) const { return product; }
};

struct Absolute {
    __device__ double operator()(double product) const { return fabs(product); }
};

template <typename Map>
__global__ void correlate(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                          int kernel_rows, int kernel_cols, Map map) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= input_rows || column >= input_cols) {
        return;
    }
    double sum = 0;
    for (int m = 0; m < kernel_rows; ++m) {
        const int y = row + m - kernel_rows / 2;
        if (y < 0 || y >= input_rows) {
            continue;
        }
        for (int n = 0; n < kernel_cols; ++n) {
            const int x = column + n - kernel_cols / 2;
            if (x >= 0 && x < input_cols) {
                const double pixel = input[static_cast<long long>(y) * input_cols + x];
                sum += map(pixel * kernel[m * kernel_cols + n]);
            }
        }
    }
    output[static_cast<long long>(row) * input_cols + column] = static_cast<float>(sum);
}

template <typename Map>
void launch(const float* input, const float* kernel, float* output, int input_rows, int input_cols, int kernel_rows,
            int kernel_cols, Map map) {
    const dim3 block(32, 8);
    const dim3 grid((input_cols + block.x - 1) / block.x, (input_rows + block.y - 1) / block.y);
    correlate<<<grid, block>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols, map);
}

} // namespace

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    launch(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols, Plain{});
}

// The sum of |weight x pixel|.
extern "C" void magnitude(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                          int kernel_rows, int kernel_cols) {
    launch(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols, Absolute{});
}
