// Distance of matching rows of A and B, sums in double precision; one block a row.

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

__global__ void distances(const float* A, const float* B, float* output, int cols) {
    __shared__ double partial[threads];
    const float* a = A + static_cast<long long>(blockIdx.x) * cols;
    const float* b = B + static_cast<long long>(blockIdx.x) * cols;
    double sum = 0;
    for (int j = threadIdx.x; j < cols; j += threads) {
        const double difference = static_cast<double>(a[j]) - b[j];
        sum += difference * difference;
    }
    sum = sum_of_block(sum, partial);
    if (threadIdx.x == 0) {
        output[blockIdx.x] = static_cast<float>(sqrt(sum));
    }
}

} // namespace

extern "C" void solve(const float* A, const float* B, float* output, int rows, int cols) {
    distances<<<rows, threads>>>(A, B, output, cols);
}

// The distance itself.
extern "C" void magnitude(const float* A, const float* B, float* output, int rows, int cols) {
    distances<<<rows, threads>>>(A, B, output, cols);
}
