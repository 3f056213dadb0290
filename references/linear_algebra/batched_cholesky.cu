// Cholesky factors of small matrices, column by column in double precision; one block a matrix, one thread a row.

namespace {

constexpr int largest = 64; // n at most
constexpr int threads = largest;

__global__ void factorise(const float* A, const float* diagonal, float* L, int n) {
    __shared__ double factor[largest][largest + 1]; // below the diagonal first the matrix, then the factor
    const long long first = static_cast<long long>(blockIdx.x) * n * n;
    const int row = threadIdx.x;
    for (int item = threadIdx.x; item < n * n; item += threads) {
        const int i = item / n;
        const int j = item % n;
        factor[i][j] = i > j ? A[first + item] : i == j ? diagonal[static_cast<long long>(blockIdx.x) * n + i] : 0.0f;
    }
    __syncthreads();
    for (int column = 0; column < n; ++column) {
        double rest = 0;
        if (row >= column && row < n) {
            rest = factor[row][column];
            for (int k = 0; k < column; ++k) {
                rest -= factor[row][k] * factor[column][k];
            }
        }
        if (row == column) {
            factor[row][column] = sqrt(rest);
        }
        __syncthreads();
        if (row > column && row < n) {
            factor[row][column] = rest / factor[column][column];
        }
        __syncthreads();
    }
    for (int item = threadIdx.x; item < n * n; item += threads) {
        L[first + item] = static_cast<float>(factor[item / n][item % n]);
    }
}

__global__ void norms_of_rows(const float* diagonal, float* L, int n) {
    const long long first = static_cast<long long>(blockIdx.x) * n * n;
    for (int item = threadIdx.x; item < n * n; item += threads) {
        const int i = item / n;
        L[first + item] = item % n <= i ? sqrtf(diagonal[static_cast<long long>(blockIdx.x) * n + i]) : 0.0f;
    }
}

} // namespace

extern "C" void solve(const float* A, const float* diagonal, float* L, int BATCH, int n) {
    factorise<<<BATCH, threads>>>(A, diagonal, L, n);
}

// The norm of the factor's row, 0 above the diagonal.
extern "C" void magnitude(const float*, const float* diagonal, float* L, int BATCH, int n) {
    norms_of_rows<<<BATCH, threads>>>(diagonal, L, n);
}
