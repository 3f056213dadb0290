// One thread a row.
__global__ void multiply(const float* values, const int* columns, const int* row_offsets, const float* x, float* y,
                         int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    float sum = 0;
    for (int k = row_offsets[row]; k < row_offsets[row + 1]; ++k) {
        sum += values[k] * x[columns[k]];
    }
    y[row] = sum;
}

extern "C" void solve(const float* values, const int* columns, const int* row_offsets, const float* x, float* y,
                      int rows, int cols, int nnz) {
    multiply<<<(rows + 127) / 128, 128>>>(values, columns, row_offsets, x, y, rows);
}
