// C[b] = A[b] B[b] with A of M x K, B of K x N; sums in double precision.

namespace {

constexpr int tile = 64;  // rows and columns of C that a block computes
constexpr int slice = 16; // step along the inner dimension
constexpr int patch = 4;  // rows and columns of C that a thread computes
constexpr int threads = tile / patch;

// The product, or with `sizes` ||row of A|| ||column of B|| / sqrt(K).
// Threads of a block: threads x threads. The columns of a thread's patch lie `threads` apart, so that stores coalesce.
__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K, bool sizes) {
    __shared__ double left[slice][tile + 1];
    __shared__ double right[slice][tile];
    A += static_cast<long long>(blockIdx.z) * M * K;
    B += static_cast<long long>(blockIdx.z) * K * N;
    C += static_cast<long long>(blockIdx.z) * M * N;
    const int first_row = blockIdx.y * tile;
    const int first_column = blockIdx.x * tile;
    const int thread = threadIdx.y * threads + threadIdx.x;
    double sum[patch][patch] = {};
    double rows[patch] = {};
    double columns[patch] = {};

    for (int first = 0; first < K; first += slice) {
        for (int item = thread; item < tile * slice; item += threads * threads) {
            const int row = first_row + item / slice;
            const int inner = first + item % slice;
            left[item % slice][item / slice] = row < M && inner < K ? A[static_cast<long long>(row) * K + inner] : 0.0f;
        }
        for (int item = thread; item < slice * tile; item += threads * threads) {
            const int inner = first + item / tile;
            const int column = first_column + item % tile;
            right[item / tile][item % tile] =
                inner < K && column < N ? B[static_cast<long long>(inner) * N + column] : 0.0f;
        }
        __syncthreads();
        for (int inner = 0; inner < slice; ++inner) {
            for (int i = 0; i < patch; ++i) {
                const double a = left[inner][threadIdx.y + i * threads];
                const double b = right[inner][threadIdx.x + i * threads];
                rows[i] += a * a;
                columns[i] += b * b;
                for (int j = 0; j < patch; ++j) {
                    sum[i][j] += a * right[inner][threadIdx.x + j * threads];
                }
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < patch; ++i) {
        for (int j = 0; j < patch; ++j) {
            const int row = first_row + threadIdx.y + i * threads;
            const int column = first_column + threadIdx.x + j * threads;
            if (row < M && column < N) {
                C[static_cast<long long>(row) * N + column] =
                    static_cast<float>(sizes ? sqrt(rows[i] * columns[j] / K) : sum[i][j]);
            }
        }
    }
}

void run(const float* A, const float* B, float* C, int BATCH, int M, int N, int K, bool sizes) {
    const dim3 grid((N + tile - 1) / tile, (M + tile - 1) / tile, BATCH);
    multiply<<<grid, dim3(threads, threads)>>>(A, B, C, M, N, K, sizes);
}

} // namespace

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    run(A, B, C, BATCH, M, N, K, false);
}

// ||row of A|| ||column of B|| / sqrt(K): how large the product of two vectors of random directions is.
extern "C" void magnitude(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    run(A, B, C, BATCH, M, N, K, true);
}
