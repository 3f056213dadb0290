// A block a lag.
__global__ void correlate(const float* a, const float* b, float* output, int N, int max_lag) {
    __shared__ float sums[128];
    const int lag = static_cast<int>(blockIdx.x) - max_lag;
    float sum = 0;
    for (int i = threadIdx.x; i < N; i += 128) {
        if (i + lag >= 0 && i + lag < N) {
            sum += a[i] * b[i + lag];
        }
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        output[blockIdx.x] = sums[0];
    }
}

extern "C" void solve(const float* a, const float* b, float* output, int N, int max_lag) {
    correlate<<<2 * max_lag + 1, 128>>>(a, b, output, N, max_lag);
}
