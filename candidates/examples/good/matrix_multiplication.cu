// A 128 x 128 tile of C a block, 8 x 8 elements a thread, operands staged in shared memory.
constexpr int tile = 128;
constexpr int depth = 8;
constexpr int own = 8;

__global__ __launch_bounds__(256) void multiply(const float* __restrict__ A, const float* __restrict__ B, float* C,
                                                int M, int N, int K) {
    __shared__ float a[depth][tile + 4];
    __shared__ float b[depth][tile];
    const int first_row = blockIdx.y * tile;
    const int first_column = blockIdx.x * tile;
    const int row = (threadIdx.x / 16) * 4;
    const int column = (threadIdx.x % 16) * 4;
    float sum[own][own] = {};

    for (int start = 0; start < N; start += depth) {
        for (int i = threadIdx.x; i < tile * depth; i += 256) {
            int r = i / depth, k = i % depth;
            bool inside = first_row + r < M && start + k < N;
            a[k][r] = inside ? A[(size_t)(first_row + r) * N + start + k] : 0.0f;
        }
        for (int i = threadIdx.x; i < tile * depth; i += 256) {
            int k = i / tile, c = i % tile;
            bool inside = first_column + c < K && start + k < N;
            b[k][c] = inside ? B[(size_t)(start + k) * K + first_column + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < depth; ++k) {
            float x[own], y[own];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                x[i] = a[k][row + i];
                x[i + 4] = a[k][row + 64 + i];
                y[i] = b[k][column + i];
                y[i + 4] = b[k][column + 64 + i];
            }
#pragma unroll
            for (int i = 0; i < own; ++i)
#pragma unroll
                for (int j = 0; j < own; ++j)
                    sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < own; ++i)
#pragma unroll
        for (int j = 0; j < own; ++j) {
            int r = first_row + row + (i < 4 ? i : 60 + i);
            int c = first_column + column + (j < 4 ? j : 60 + j);
            if (r < M && c < K)
                C[(size_t)r * K + c] = sum[i][j];
        }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 grid((K + tile - 1) / tile, (M + tile - 1) / tile);
    multiply<<<grid, 256>>>(A, B, C, M, N, K);
}
