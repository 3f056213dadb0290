// A warp a matrix; distances from the chosen points are computed anew in each step.
__global__ void sample(const float* distances, int* indices, int N, int K) {
    const float* const matrix = distances + static_cast<long long>(blockIdx.x) * N * N;
    int* const chosen = indices + static_cast<long long>(blockIdx.x) * K;
    for (int step = 0; step < K; ++step) {
        unsigned long long best = 0;
        for (int i = threadIdx.x; i < N && step > 0; i += 32) {
            float least = INFINITY;
            for (int s = 0; s < step; ++s) {
                const bool itself = chosen[s] == i;
                least = fminf(least, itself ? 0.0f : matrix[static_cast<long long>(chosen[s]) * N + i]);
            }
            const unsigned long long key = static_cast<unsigned long long>(__float_as_uint(least)) << 32 | (N - 1 - i);
            best = max(best, key);
        }
        for (int half = 16; half > 0; half /= 2) {
            best = max(best, __shfl_xor_sync(0xFFFFFFFFU, best, half));
        }
        if (threadIdx.x == 0) {
            chosen[step] = step == 0 ? 0 : N - 1 - static_cast<int>(best & 0xFFFFFFFFU);
        }
        __syncthreads();
    }
}

extern "C" void solve(const float* distances, int* indices, int B, int N, int K) {
    sample<<<B, 32>>>(distances, indices, N, K);
}
