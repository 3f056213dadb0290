// The sum of A[i] B[i] in double precision: partial sums of blocks, which one thread adds.

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1024;
constexpr int elements = 4 * threads; // of a block, if there are not too many

// The sum over the block's threads, in thread 0. `partial` is shared memory of `threads` values.
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

// sums[block] is the sum of the products of the block's elements, squares[block] that of their squares.
__global__ void partial_sums(const float* A, const float* B, double* sums, double* squares, int N) {
    __shared__ double partial[threads];
    double sum = 0;
    double square = 0;
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < N; i += gridDim.x * threads) {
        const double product = static_cast<double>(A[i]) * B[i];
        sum += product;
        square += product * product;
    }
    sum = sum_of_block(sum, partial);
    square = sum_of_block(square, partial);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        squares[blockIdx.x] = square;
    }
}

// One thread. The magnitude is |sum| plus the root of the sum of squares.
__global__ void finish(const double* sums, const double* squares, float* result, int count, bool magnitude) {
    double sum = 0;
    double square = 0;
    for (int block = 0; block < count; ++block) {
        sum += sums[block];
        square += squares[block];
    }
    result[0] = static_cast<float>(magnitude ? fabs(sum) + sqrt(square) : sum);
}

void dot_product(const float* A, const float* B, float* result, int N, bool magnitude) {
    const long long needed = (static_cast<long long>(N) + elements - 1) / elements;
    const int blocks = needed < most_blocks ? static_cast<int>(needed) : most_blocks;
    double* sums = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), 2 * most_blocks * sizeof(double));
    partial_sums<<<blocks, threads>>>(A, B, sums, sums + most_blocks, N);
    finish<<<1, 1>>>(sums, sums + most_blocks, result, blocks, magnitude);
    cudaFree(sums);
}

} // namespace

extern "C" void solve(const float* A, const float* B, float* result, int N) {
    dot_product(A, B, result, N, false);
}

extern "C" void magnitude(const float* A, const float* B, float* result, int N) {
    dot_product(A, B, result, N, true);
}
