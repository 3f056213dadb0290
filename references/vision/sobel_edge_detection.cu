// Sobel gradient; one thread a pixel, in double precision.

namespace {

struct Gradient {
    __device__ double weighted(double weight, double value) const { return weight * value; }
    __device__ double finish(double size, double limit) const { return fmin(size, limit); }
};

// The same of absolute values, without the limit.
struct Size {
    __device__ double weighted(double weight, double value) const { return fabs(weight * value); }
    __device__ double finish(double size, double) const { return size; }
};

template <typename Of>
__global__ void detect(const float* input, float* output, int rows, int cols, double limit, Of of) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    constexpr double smooth[3] = {1, 2, 1};
    double gx = 0;
    double gy = 0;
    for (int m = -1; m <= 1; ++m) {
        for (int n = -1; n <= 1; ++n) {
            const long long y = min(max(row + m, 0), rows - 1);
            const int x = min(max(col + n, 0), cols - 1);
            const double value = input[y * cols + x];
            gx += of.weighted(n * smooth[m + 1], value);
            gy += of.weighted(m * smooth[n + 1], value);
        }
    }
    output[static_cast<long long>(row) * cols + col] = static_cast<float>(of.finish(sqrt(gx * gx + gy * gy), limit));
}

template <typename Of> void launch(const float* input, float* output, int rows, int cols, float limit, Of of) {
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    detect<<<grid, block>>>(input, output, rows, cols, limit, of);
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols, float limit) {
    launch(input, output, rows, cols, limit, Gradient{});
}

extern "C" void magnitude(const float* input, float* output, int rows, int cols, float limit) {
    launch(input, output, rows, cols, limit, Size{});
}
