// One thread a pair, row by row, with the row before in global memory.
__global__ void align(const unsigned char* A, const unsigned char* B, int* scores, int* rows, int pairs, int m, int n,
                      int match, int mismatch, int gap) {
    const int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= pairs) {
        return;
    }
    const unsigned char* a = A + static_cast<long long>(pair) * m;
    const unsigned char* b = B + static_cast<long long>(pair) * n;
    int* row = rows + static_cast<long long>(pair) * (n + 1);
    for (int j = 0; j <= n; ++j) {
        row[j] = 0;
    }
    int best = 0;
    for (int i = 0; i < m; ++i) {
        int diagonal = 0;
        for (int j = 1; j <= n; ++j) {
            const int above = row[j];
            const int aligned = diagonal + (a[i] == b[j - 1] ? match : mismatch);
            row[j] = max(max(0, aligned), max(above, row[j - 1]) - gap);
            diagonal = above;
            best = max(best, row[j]);
        }
    }
    scores[pair] = best;
}

extern "C" void solve(const unsigned char* A, const unsigned char* B, int* scores, int pairs, int m, int n, int match,
                      int mismatch, int gap) {
    int* rows;
    cudaMalloc(&rows, static_cast<size_t>(pairs) * (n + 1) * sizeof(int));
    align<<<(pairs + 63) / 64, 64>>>(A, B, scores, rows, pairs, m, n, match, mismatch, gap);
    cudaFree(rows);
}
