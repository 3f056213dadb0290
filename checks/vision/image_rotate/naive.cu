__global__ void rotate(const float* input, float* output, int rows, int cols, int channels) {
    const int j = blockIdx.x * 16 + threadIdx.x;
    const int i = blockIdx.y * 16 + threadIdx.y;
    if (i < rows && j < cols) {
        for (int c = 0; c < channels; ++c) {
            output[(static_cast<long long>(j) * rows + rows - 1 - i) * channels + c] =
                input[(static_cast<long long>(i) * cols + j) * channels + c];
        }
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols, int channels) {
    rotate<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(input, output, rows, cols, channels);
}
