// y = A x, sums in double precision; one block a row.

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

// The product, or with `sizes` ||row|| ||x|| / sqrt(N).
__global__ void multiply(const float* A, const float* x, float* y, int N, bool sizes) {
    __shared__ double partial[threads];
    const float* row = A + static_cast<long long>(blockIdx.x) * N;
    double sum = 0;
    double squares_of_row = 0;
    double squares_of_x = 0;
    for (int j = threadIdx.x; j < N; j += threads) {
        sum += static_cast<double>(row[j]) * x[j];
        squares_of_row += static_cast<double>(row[j]) * row[j];
        squares_of_x += static_cast<double>(x[j]) * x[j];
    }
    if (sizes) {
        squares_of_row = sum_of_block(squares_of_row, partial);
        squares_of_x = sum_of_block(squares_of_x, partial);
        sum = sqrt(squares_of_row * squares_of_x / N);
    } else {
        sum = sum_of_block(sum, partial);
    }
    if (threadIdx.x == 0) {
        y[blockIdx.x] = static_cast<float>(sum);
    }
}

} // namespace

extern "C" void solve(const float* A, const float* x, float* y, int M, int N) {
    multiply<<<M, threads>>>(A, x, y, N, false);
}

// How large the product of two vectors of random directions is.
extern "C" void magnitude(const float* A, const float* x, float* y, int M, int N) {
    multiply<<<M, threads>>>(A, x, y, N, true);
}
