// One thread a row, three passes.
__global__ void softmax(const float* input, float* output, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const float* x = input + (size_t)row * cols;
    float* y = output + (size_t)row * cols;
    float largest = x[0];
    for (int i = 1; i < cols; ++i)
        largest = fmaxf(largest, x[i]);
    float sum = 0;
    for (int i = 0; i < cols; ++i)
        sum += expf(x[i] - largest);
    for (int i = 0; i < cols; ++i)
        y[i] = expf(x[i] - largest) / sum;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    softmax<<<(rows + 127) / 128, 128>>>(input, output, rows, cols);
}
