// One thread an element.
__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (column >= N) {
        return;
    }
    A += (static_cast<long long>(blockIdx.z) * M + row) * K;
    B += static_cast<long long>(blockIdx.z) * K * N + column;
    float sum = 0;
    for (int k = 0; k < K; ++k) {
        sum += A[k] * B[static_cast<long long>(k) * N];
    }
    C[(static_cast<long long>(blockIdx.z) * M + row) * N + column] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    multiply<<<dim3((N + 127) / 128, M, BATCH), 128>>>(A, B, C, M, N, K);
}
