// One warp a pair, along anti-diagonals in shared memory; m at most 1023.
__global__ void align(const unsigned char* A, const unsigned char* B, int* scores, int m, int n, int match,
                      int mismatch, int gap) {
    __shared__ int diagonals[3 * 1024]; // three, of m + 1 cells
    const unsigned char* a = A + static_cast<long long>(blockIdx.x) * m;
    const unsigned char* b = B + static_cast<long long>(blockIdx.x) * n;
    for (int i = threadIdx.x; i < 3 * (m + 1); i += 32) {
        diagonals[i] = 0;
    }
    __syncthreads();
    int best = 0;
    for (int d = 2; d <= m + n; ++d) {
        int* now = diagonals + d % 3 * (m + 1);
        const int* last = diagonals + (d + 2) % 3 * (m + 1);
        const int* before = diagonals + (d + 1) % 3 * (m + 1);
        for (int i = threadIdx.x; i <= m; i += 32) {
            const int j = d - i;
            int cell = 0;
            if (i > 0 && j > 0 && j <= n) {
                const int s = a[i - 1] == b[j - 1] ? match : mismatch;
                cell = max(max(0, before[i - 1] + s), max(last[i - 1], last[i]) - gap);
            }
            now[i] = cell;
            best = max(best, cell);
        }
        __syncthreads();
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        best = max(best, __shfl_down_sync(0xffffffff, best, offset));
    }
    if (threadIdx.x == 0) {
        scores[blockIdx.x] = best;
    }
}

extern "C" void solve(const unsigned char* A, const unsigned char* B, int* scores, int pairs, int m, int n, int match,
                      int mismatch, int gap) {
    align<<<pairs, 32>>>(A, B, scores, m, n, match, mismatch, gap);
}
