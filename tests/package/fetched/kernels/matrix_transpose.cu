__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (column < cols)
        output[static_cast<long long>(column) * rows + row] = input[static_cast<long long>(row) * cols + column];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<dim3((cols + 127) / 128, rows), 128>>>(input, output, rows, cols);
}
