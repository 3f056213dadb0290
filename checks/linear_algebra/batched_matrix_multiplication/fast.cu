// Tiles of 32 x 32 of each product, 16 terms at a time through shared memory, two by two elements a thread.

namespace {

constexpr int side = 32;
constexpr int depth = 16;
constexpr int threads = 256;

__global__ void multiply(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                         int K) {
    __shared__ float left[depth][side + 1]; // transposed
    __shared__ float right[depth][side];
    const long long batch = blockIdx.z;
    A += batch * M * K;
    B += batch * K * N;
    C += batch * M * N;
    const int top = blockIdx.y * side;
    const int first = blockIdx.x * side;
    const int row = threadIdx.x / 16;
    const int col = threadIdx.x % 16;
    float sums[2][2] = {};
    for (int start = 0; start < K; start += depth) {
        for (int i = threadIdx.x; i < side * depth; i += threads) {
            const int r = top + i / depth;
            const int k = start + i % depth;
            left[i % depth][i / depth] = r < M && k < K ? A[static_cast<long long>(r) * K + k] : 0;
        }
        for (int i = threadIdx.x; i < side * depth; i += threads) {
            const int k = start + i / side;
            const int c = first + i % side;
            right[i / side][i % side] = k < K && c < N ? B[static_cast<long long>(k) * N + c] : 0;
        }
        __syncthreads();
        for (int k = 0; k < depth; ++k) {
            for (int r = 0; r < 2; ++r) {
                for (int c = 0; c < 2; ++c) {
                    sums[r][c] = fmaf(left[k][row + 16 * r], right[k][col + 16 * c], sums[r][c]);
                }
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < 2; ++r) {
        for (int c = 0; c < 2; ++c) {
            const int i = top + row + 16 * r;
            const int j = first + col + 16 * c;
            if (i < M && j < N) {
                C[static_cast<long long>(i) * N + j] = sums[r][c];
            }
        }
    }
}

} // namespace

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    multiply<<<dim3((N - 1) / side + 1, (M - 1) / side + 1, BATCH), threads>>>(A, B, C, M, N, K);
}
