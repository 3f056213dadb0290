// The window is shifted by one pixel to the right.
__global__ void blur(const float* input, const float* kernel, float* output, int rows, int cols, int kernel_rows,
                     int kernel_cols) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows)
        return;
    float sum = 0;
    for (int i = 0; i < kernel_rows; ++i)
        for (int j = 0; j < kernel_cols; ++j) {
            int r = y + i - kernel_rows / 2;
            int c = x + j - kernel_cols / 2 + 1;
            if (r >= 0 && r < rows && c >= 0 && c < cols)
                sum += input[(size_t)r * cols + c] * kernel[i * kernel_cols + j];
        }
    output[(size_t)y * cols + x] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    dim3 block(32, 8);
    dim3 grid((input_cols + 31) / 32, (input_rows + 7) / 8);
    blur<<<grid, block>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
}
