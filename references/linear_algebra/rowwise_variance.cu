// Population variance of rows, in two passes in double precision; one block a row.

namespace {

constexpr int threads = 256;

// The sum over the block's threads, in all of them. `partial` is shared memory of `threads` values.
__device__ double sum_of_block(double value, double* partial) {
    __syncthreads();
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    return partial[0];
}

// The variance, or with `sizes` the mean square.
__global__ void variances(const float* input, float* output, int cols, bool sizes) {
    __shared__ double partial[threads];
    const float* row = input + static_cast<long long>(blockIdx.x) * cols;
    double mean = 0;
    if (!sizes) {
        double sum = 0;
        for (int j = threadIdx.x; j < cols; j += threads) {
            sum += row[j];
        }
        mean = sum_of_block(sum, partial) / cols;
    }
    double squares = 0;
    for (int j = threadIdx.x; j < cols; j += threads) {
        squares += (row[j] - mean) * (row[j] - mean);
    }
    squares = sum_of_block(squares, partial);
    if (threadIdx.x == 0) {
        output[blockIdx.x] = static_cast<float>(squares / cols);
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    variances<<<rows, threads>>>(input, output, cols, false);
}

// The mean square of the row.
extern "C" void magnitude(const float* input, float* output, int rows, int cols) {
    variances<<<rows, threads>>>(input, output, cols, true);
}
