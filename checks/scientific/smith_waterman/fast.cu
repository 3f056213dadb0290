// A warp a pair: lanes hold 32 rows of the matrix and run along it one column apart, so that what a lane needs from the
// row above comes by a shuffle; the last row of a stripe waits in global memory for the next one, two such rows in
// turn.

namespace {

constexpr int threads = 128;

__global__ void align(const unsigned char* __restrict__ A, const unsigned char* __restrict__ B, int* scores, int* edges,
                      int pairs, int m, int n, int match, int mismatch, int gap) {
    const int pair = (blockIdx.x * threads + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (pair >= pairs) {
        return;
    }
    const unsigned char* a = A + static_cast<long long>(pair) * m;
    const unsigned char* b = B + static_cast<long long>(pair) * n;
    int* before = edges + 2LL * pair * n; // H of the last row of the stripe before
    int* after = before + n;
    int best = 0;
    for (int top = 0; top < m; top += 32) {
        const int i = top + lane;
        const int letter = i < m ? a[i] : -1;
        int left = 0;     // H[i][j - 1]
        int diagonal = 0; // H[i - 1][j - 1]
        for (int step = 0; step < n + 31; ++step) {
            const int j = step - lane;
            int above = __shfl_up_sync(0xFFFFFFFF, left, 1); // the lane above was at j one step ago
            if (j >= 0 && j < n && i < m) {
                if (lane == 0) {
                    above = top == 0 ? 0 : before[j];
                }
                const int aligned = diagonal + (letter == b[j] ? match : mismatch);
                const int value = max(max(0, aligned), max(above, left) - gap);
                diagonal = above;
                left = value;
                best = max(best, value);
                if (lane == 31) {
                    after[j] = value;
                }
            }
        }
        __syncwarp();
        int* const free = before;
        before = after;
        after = free;
    }
    best = __reduce_max_sync(0xFFFFFFFF, best);
    if (lane == 0) {
        scores[pair] = best;
    }
}

} // namespace

extern "C" void solve(const unsigned char* A, const unsigned char* B, int* scores, int pairs, int m, int n, int match,
                      int mismatch, int gap) {
    int* edges = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&edges), 2 * static_cast<size_t>(pairs) * n * sizeof(int));
    align<<<(pairs - 1) / (threads / 32) + 1, threads>>>(A, B, scores, edges, pairs, m, n, match, mismatch, gap);
    cudaFree(edges);
}
