// Cosine of the angle between rows of A and B, sums in double precision; one block a row.

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

// The cosine, or with `sizes` its magnitude.
__global__ void compare(const float* A, const float* B, float* output, int cols, bool sizes) {
    __shared__ double partial[threads];
    const float* a = A + static_cast<long long>(blockIdx.x) * cols;
    const float* b = B + static_cast<long long>(blockIdx.x) * cols;
    double products = 0;
    double squared_products = 0;
    double squares_of_a = 0;
    double squares_of_b = 0;
    for (int j = threadIdx.x; j < cols; j += threads) {
        const double product = static_cast<double>(a[j]) * b[j];
        products += product;
        squared_products += product * product;
        squares_of_a += static_cast<double>(a[j]) * a[j];
        squares_of_b += static_cast<double>(b[j]) * b[j];
    }
    products = sum_of_block(products, partial);
    squared_products = sum_of_block(squared_products, partial);
    squares_of_a = sum_of_block(squares_of_a, partial);
    squares_of_b = sum_of_block(squares_of_b, partial);
    if (threadIdx.x == 0) {
        const double norms = sqrt(squares_of_a) * sqrt(squares_of_b);
        const double size = sizes ? fabs(products) + sqrt(squared_products) : products;
        output[blockIdx.x] = norms == 0 ? 0.0f : static_cast<float>(size / norms);
    }
}

} // namespace

extern "C" void solve(const float* A, const float* B, float* output, int rows, int cols) {
    compare<<<rows, threads>>>(A, B, output, cols, false);
}

// |cosine| plus the root of the sum of the squared products over the norms.
extern "C" void magnitude(const float* A, const float* B, float* output, int rows, int cols) {
    compare<<<rows, threads>>>(A, B, output, cols, true);
}
