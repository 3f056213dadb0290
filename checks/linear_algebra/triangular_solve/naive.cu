// One thread a column, row by row.
__global__ void substitute(const float* L, const float* diagonal, const float* B, float* X, int n, int m) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= m) {
        return;
    }
    for (int i = 0; i < n; ++i) {
        float rest = B[static_cast<long long>(i) * m + column];
        for (int j = 0; j < i; ++j) {
            rest -= L[static_cast<long long>(i) * n + j] * X[static_cast<long long>(j) * m + column];
        }
        X[static_cast<long long>(i) * m + column] = rest * (1 / diagonal[i]);
    }
}

extern "C" void solve(const float* L, const float* diagonal, const float* B, float* X, int n, int m) {
    substitute<<<(m + 63) / 64, 64>>>(L, diagonal, B, X, n, m);
}
