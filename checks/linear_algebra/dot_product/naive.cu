// Blocks of 256 products, added atomically.
__global__ void add_products(const float* A, const float* B, float* result, int N) {
    __shared__ float products[256];
    const long long i = static_cast<long long>(blockIdx.x) * 256 + threadIdx.x;
    products[threadIdx.x] = i < N ? A[i] * B[i] : 0.0f;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            products[threadIdx.x] += products[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicAdd(result, products[0]);
    }
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
    cudaMemset(result, 0, sizeof(float));
    add_products<<<(N + 255) / 256, 256>>>(A, B, result, N);
}
