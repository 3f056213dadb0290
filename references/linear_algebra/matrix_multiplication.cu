// C = A B with A of M x N, B of N x K; sums in double precision.

namespace {

constexpr int tile = 64;  // rows and columns of C that a block computes
constexpr int slice = 16; // step along the inner dimension
constexpr int patch = 4;  // rows and columns of C that a thread computes
constexpr int threads = tile / patch;

// Threads of a block: threads x threads. The columns of a thread's patch lie `threads` apart, so that stores coalesce.
__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ double left[slice][tile + 1];
    __shared__ double right[slice][tile];
    const int first_row = blockIdx.y * tile;
    const int first_column = blockIdx.x * tile;
    const int thread = threadIdx.y * threads + threadIdx.x;
    double sum[patch][patch] = {};

    for (int first = 0; first < N; first += slice) {
        for (int item = thread; item < tile * slice; item += threads * threads) {
            const int row = first_row + item / slice;
            const int inner = first + item % slice;
            left[item % slice][item / slice] = row < M && inner < N ? A[static_cast<long long>(row) * N + inner] : 0.0f;
        }
        for (int item = thread; item < slice * tile; item += threads * threads) {
            const int inner = first + item / tile;
            const int column = first_column + item % tile;
            right[item / tile][item % tile] =
                inner < N && column < K ? B[static_cast<long long>(inner) * K + column] : 0.0f;
        }
        __syncthreads();
        for (int inner = 0; inner < slice; ++inner) {
            for (int i = 0; i < patch; ++i) {
                for (int j = 0; j < patch; ++j) {
                    sum[i][j] += left[inner][threadIdx.y + i * threads] * right[inner][threadIdx.x + j * threads];
                }
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < patch; ++i) {
        for (int j = 0; j < patch; ++j) {
            const int row = first_row + threadIdx.y + i * threads;
            const int column = first_column + threadIdx.x + j * threads;
            if (row < M && column < K) {
                C[static_cast<long long>(row) * K + column] = static_cast<float>(sum[i][j]);
            }
        }
    }
}

// One block a row.
__global__ void norms_of_rows(const float* A, double* norms, int N) {
    __shared__ double partial[256];
    double sum = 0;
    for (int n = threadIdx.x; n < N; n += blockDim.x) {
        const double value = A[static_cast<long long>(blockIdx.x) * N + n];
        sum += value * value;
    }
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        norms[blockIdx.x] = sqrt(partial[0]);
    }
}

// One thread a column.
__global__ void norms_of_columns(const float* B, double* norms, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= K) {
        return;
    }
    double sum = 0;
    for (int n = 0; n < N; ++n) {
        const double value = B[static_cast<long long>(n) * K + column];
        sum += value * value;
    }
    norms[column] = sqrt(sum);
}

__global__ void combine(const double* rows, const double* columns, float* C, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (column < K) {
        C[static_cast<long long>(row) * K + column] =
            static_cast<float>(rows[row] * columns[column] / sqrt(static_cast<double>(N)));
    }
}

} // namespace

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    const dim3 grid((K + tile - 1) / tile, (M + tile - 1) / tile);
    multiply<<<grid, dim3(threads, threads)>>>(A, B, C, M, N, K);
}

// ||row of A|| ||column of B|| / sqrt(N): how large the product of two vectors of random directions is.
extern "C" void magnitude(const float* A, const float* B, float* C, int M, int N, int K) {
    double* norms = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&norms), (static_cast<size_t>(M) + K) * sizeof(double));
    norms_of_rows<<<M, 256>>>(A, norms, N);
    norms_of_columns<<<(K + 31) / 32, 32>>>(B, norms + M, N, K);
    combine<<<dim3((K + 255) / 256, M), 256>>>(norms, norms + M, C, N, K);
    cudaFree(norms);
}
