// Softmax of each row; one block a row, sums in double precision.

namespace {

constexpr int threads = 256;

template <typename Operation> __device__ double reduce(double value, Operation operation) {
    __shared__ double partial[threads];
    __syncthreads(); // the array's last readers are done
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] = operation(partial[threadIdx.x], partial[threadIdx.x + half]);
        }
        __syncthreads();
    }
    return partial[0];
}

__device__ double maximum(const float* row, int cols) {
    double largest = row[0];
    for (int column = threadIdx.x; column < cols; column += threads) {
        largest = fmax(largest, static_cast<double>(row[column]));
    }
    return reduce(largest, [](double a, double b) { return fmax(a, b); });
}

__global__ void softmax(const float* input, float* output, int cols) {
    const float* row = input + static_cast<long long>(blockIdx.x) * cols;
    float* result = output + static_cast<long long>(blockIdx.x) * cols;
    const double largest = maximum(row, cols);
    double sum = 0;
    for (int column = threadIdx.x; column < cols; column += threads) {
        sum += exp(row[column] - largest);
    }
    sum = reduce(sum, [](double a, double b) { return a + b; });
    for (int column = threadIdx.x; column < cols; column += threads) {
        result[column] = static_cast<float>(exp(row[column] - largest) / sum);
    }
}

// Scales the results that are there already.
__global__ void scale(const float* input, float* output, int cols) {
    const float* row = input + static_cast<long long>(blockIdx.x) * cols;
    float* result = output + static_cast<long long>(blockIdx.x) * cols;
    const double largest = maximum(row, cols);
    const double growth = sqrt(fmin(static_cast<double>(cols), 4096.0)) + log2(static_cast<double>(cols));
    for (int column = threadIdx.x; column < cols; column += threads) {
        const double distance = largest - row[column];
        result[column] = static_cast<float>(result[column] * (1 + (4 + 2.4 * distance) / growth));
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    softmax<<<rows, threads>>>(input, output, cols);
}

// y (1 + (4 + 2.4 d) / growth) with d the distance from the maximum and growth that of the bound for sums: the sum may
// be off by growth units, each exponential by 2 + 1.2 d units in the last place (which is what CUDA states of __expf).
extern "C" void magnitude(const float* input, float* output, int rows, int cols) {
    softmax<<<rows, threads>>>(input, output, cols);
    scale<<<rows, threads>>>(input, output, cols);
}
