// One thread a row, which is slow but right.
__global__ void copy_row(const float* A, float* B, int N) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int column = 0; row < N && column < N; ++column) {
        B[static_cast<long long>(row) * N + column] = A[static_cast<long long>(row) * N + column];
    }
}

extern "C" void solve(const float* A, float* B, int N) {
    copy_row<<<(N + 63) / 64, 64>>>(A, B, N);
}
