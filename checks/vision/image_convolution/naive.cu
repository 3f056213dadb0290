// A thread a pixel, channel by channel.
__global__ void convolve(const float* input, const float* kernel, float* output, int rows, int cols, int channels,
                         int size) {
    const int j = blockIdx.x * 16 + threadIdx.x;
    const int i = blockIdx.y * 16 + threadIdx.y;
    if (i >= rows || j >= cols) {
        return;
    }
    for (int c = 0; c < channels; ++c) {
        float sum = 0;
        for (int m = 0; m < size; ++m) {
            for (int n = 0; n < size; ++n) {
                const int y = i + m - size / 2;
                const int x = j + n - size / 2;
                if (y >= 0 && y < rows && x >= 0 && x < cols) {
                    sum += kernel[m * size + n] * input[(static_cast<long long>(y) * cols + x) * channels + c];
                }
            }
        }
        output[(static_cast<long long>(i) * cols + j) * channels + c] = sum;
    }
}

extern "C" void solve(const float* input, const float* kernel, float* output, int rows, int cols, int channels,
                      int kernel_size) {
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    convolve<<<grid, dim3(16, 16)>>>(input, kernel, output, rows, cols, channels, kernel_size);
}
