// One thread a matrix, in place in global memory, by outer products.
__global__ void factorise(const float* A, const float* diagonal, float* L, int BATCH, int n) {
    const int matrix = blockIdx.x * blockDim.x + threadIdx.x;
    if (matrix >= BATCH) {
        return;
    }
    const long long first = static_cast<long long>(matrix) * n * n;
    L += first;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            L[i * n + j] = j < i ? A[first + i * n + j] : j == i ? diagonal[static_cast<long long>(matrix) * n + i] : 0;
        }
    }
    for (int k = 0; k < n; ++k) {
        L[k * n + k] = sqrtf(L[k * n + k]);
        for (int i = k + 1; i < n; ++i) {
            L[i * n + k] /= L[k * n + k];
        }
        for (int i = k + 1; i < n; ++i) {
            for (int j = k + 1; j <= i; ++j) {
                L[i * n + j] -= L[i * n + k] * L[j * n + k];
            }
        }
    }
}

extern "C" void solve(const float* A, const float* diagonal, float* L, int BATCH, int n) {
    factorise<<<(BATCH + 31) / 32, 32>>>(A, diagonal, L, BATCH, n);
}
