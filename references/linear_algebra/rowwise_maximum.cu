// The largest element of each row; one block a row.

namespace {

constexpr int threads = 256;

__global__ void largest(const float* input, float* output, int cols) {
    __shared__ float partial[threads];
    const float* row = input + static_cast<long long>(blockIdx.x) * cols;
    float best = row[0];
    for (int j = threadIdx.x; j < cols; j += threads) {
        best = row[j] > best ? row[j] : best;
    }
    partial[threadIdx.x] = best;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half && partial[threadIdx.x + half] > partial[threadIdx.x]) {
            partial[threadIdx.x] = partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        output[blockIdx.x] = partial[0];
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    largest<<<rows, threads>>>(input, output, cols);
}
