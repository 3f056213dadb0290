// A tile and the pixels around it in shared memory, zeros outside the image; four rows a thread, each in two sums.
// Kernels too large for that read from global memory.

namespace {

constexpr int across = 32;
constexpr int down = 32;
constexpr int lines = 8;
constexpr int most_bytes = 48 * 1024;

__global__ void blur(const float* __restrict__ input, const float* __restrict__ kernel, float* __restrict__ output,
                     int rows, int cols, int kernel_rows, int kernel_cols) {
    extern __shared__ float shared[];
    const int tile_cols = across + kernel_cols - 1;
    const int tile_rows = down + kernel_rows - 1;
    float* weights = shared;
    float* tile = shared + kernel_rows * kernel_cols;
    const int thread = threadIdx.y * across + threadIdx.x;
    for (int i = thread; i < kernel_rows * kernel_cols; i += across * lines) {
        weights[i] = kernel[i];
    }
    const int top = static_cast<int>(blockIdx.y) * down - kernel_rows / 2;
    const int left = static_cast<int>(blockIdx.x) * across - kernel_cols / 2;
    for (int i = thread; i < tile_rows * tile_cols; i += across * lines) {
        const int r = top + i / tile_cols;
        const int c = left + i % tile_cols;
        const bool within = r >= 0 && r < rows && c >= 0 && c < cols;
        tile[i] = within ? input[static_cast<long long>(r) * cols + c] : 0;
    }
    __syncthreads();
    const int x = blockIdx.x * across + threadIdx.x;
    for (int line = threadIdx.y; line < down; line += lines) {
        const int y = blockIdx.y * down + line;
        if (x >= cols || y >= rows) {
            continue;
        }
        float even = 0;
        float odd = 0;
        for (int m = 0; m < kernel_rows; ++m) {
            const float* pixels = tile + (line + m) * tile_cols + threadIdx.x;
            const float* row = weights + m * kernel_cols;
            int k = 0;
            for (; k + 1 < kernel_cols; k += 2) {
                even = fmaf(row[k], pixels[k], even);
                odd = fmaf(row[k + 1], pixels[k + 1], odd);
            }
            even = fmaf(row[k], pixels[k], even); // kernel_cols is odd
        }
        output[static_cast<long long>(y) * cols + x] = even + odd;
    }
}

__global__ void blur_directly(const float* input, const float* kernel, float* output, int rows, int cols,
                              int kernel_rows, int kernel_cols) {
    const int x = blockIdx.x * across + threadIdx.x;
    const int y = blockIdx.y * lines + threadIdx.y;
    if (x >= cols || y >= rows) {
        return;
    }
    const int first_row = max(0, kernel_rows / 2 - y);
    const int last_row = min(kernel_rows, rows + kernel_rows / 2 - y);
    const int first_col = max(0, kernel_cols / 2 - x);
    const int last_col = min(kernel_cols, cols + kernel_cols / 2 - x);
    float sum = 0;
    for (int m = first_row; m < last_row; ++m) {
        const float* pixels = input + static_cast<long long>(y + m - kernel_rows / 2) * cols + x - kernel_cols / 2;
        for (int k = first_col; k < last_col; ++k) {
            sum = fmaf(kernel[m * kernel_cols + k], pixels[k], sum);
        }
    }
    output[static_cast<long long>(y) * cols + x] = sum;
}

} // namespace

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    const dim3 block(across, lines);
    const long long tile = static_cast<long long>(across + kernel_cols - 1) * (down + kernel_rows - 1);
    const long long bytes = (tile + static_cast<long long>(kernel_rows) * kernel_cols) * sizeof(float);
    if (bytes <= most_bytes) {
        const dim3 grid((input_cols - 1) / across + 1, (input_rows - 1) / down + 1);
        blur<<<grid, block, bytes>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
    } else {
        const dim3 grid((input_cols - 1) / across + 1, (input_rows - 1) / lines + 1);
        blur_directly<<<grid, block>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
    }
}
