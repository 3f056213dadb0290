// T X = B by blocks of rows, in double precision; one thread a column of X.

namespace {

constexpr int rows = 32; // of a block of rows
constexpr int threads = 128;

// Loads T[first_row + r][first_column + c], zero where that is no element below the diagonal.
__device__ void load(double (*block)[rows], const float* L, int first_row, int first_column, int n) {
    for (int item = threadIdx.x; item < rows * rows; item += threads) {
        const int row = first_row + item / rows;
        const int column = first_column + item % rows;
        block[item / rows][item % rows] = row < n && column < row ? L[static_cast<long long>(row) * n + column] : 0.0f;
    }
}

__global__ void substitute(const float* L, const float* diagonal, const float* B, double* X, int n, int m) {
    __shared__ double block[rows][rows];
    const int column = blockIdx.x * threads + threadIdx.x;
    const bool inside = column < m;
    for (int first_row = 0; first_row < n; first_row += rows) {
        double rest[rows];
        for (int r = 0; r < rows; ++r) {
            rest[r] = inside && first_row + r < n ? B[static_cast<long long>(first_row + r) * m + column] : 0.0f;
        }
        for (int first = 0; first < first_row; first += rows) {
            load(block, L, first_row, first, n);
            __syncthreads();
            for (int k = 0; k < rows; ++k) {
                const double x = inside ? X[static_cast<long long>(first + k) * m + column] : 0;
                for (int r = 0; r < rows; ++r) {
                    rest[r] -= block[r][k] * x;
                }
            }
            __syncthreads();
        }
        load(block, L, first_row, first_row, n);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < rows; ++k) {
            if (first_row + k < n) {
                const double x = rest[k] / diagonal[first_row + k];
                if (inside) {
                    X[static_cast<long long>(first_row + k) * m + column] = x;
                }
#pragma unroll
                for (int r = k + 1; r < rows; ++r) {
                    rest[r] -= block[r][k] * x;
                }
            }
        }
        __syncthreads();
    }
}

// The solution, or with `sizes` the root mean square of each of its columns.
__global__ void finish(const double* solution, float* X, int n, int m, bool sizes) {
    const int column = blockIdx.x * threads + threadIdx.x;
    if (column >= m) {
        return;
    }
    double squares = 0;
    for (int i = 0; sizes && i < n; ++i) {
        const double x = solution[static_cast<long long>(i) * m + column];
        squares += x * x;
    }
    for (int i = 0; i < n; ++i) {
        const long long place = static_cast<long long>(i) * m + column;
        X[place] = static_cast<float>(sizes ? sqrt(squares / n) : solution[place]);
    }
}

void run(const float* L, const float* diagonal, const float* B, float* X, int n, int m, bool sizes) {
    double* solution = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&solution), static_cast<size_t>(n) * m * sizeof(double));
    const int blocks = (m + threads - 1) / threads;
    substitute<<<blocks, threads>>>(L, diagonal, B, solution, n, m);
    finish<<<blocks, threads>>>(solution, X, n, m, sizes);
    cudaFree(solution);
}

} // namespace

extern "C" void solve(const float* L, const float* diagonal, const float* B, float* X, int n, int m) {
    run(L, diagonal, B, X, n, m, false);
}

// The root mean square of the column of X.
extern "C" void magnitude(const float* L, const float* diagonal, const float* B, float* X, int n, int m) {
    run(L, diagonal, B, X, n, m, true);
}
