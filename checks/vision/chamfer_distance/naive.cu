__global__ void add(const float* points, const float* others, float* distances, int N, int M) {
    const float* const cloud = others + 3LL * blockIdx.y * M;
    const int i = blockIdx.x * 32 + threadIdx.x;
    float least = 1e30f;
    for (int j = 0; i < N && j < M; ++j) {
        const float* const p = points + 3 * (static_cast<long long>(blockIdx.y) * N + i);
        const float dx = p[0] - cloud[3 * j];
        const float dy = p[1] - cloud[3 * j + 1];
        const float dz = p[2] - cloud[3 * j + 2];
        least = fminf(least, dx * dx + dy * dy + dz * dz);
    }
    float sum = i < N ? least : 0.0f;
    for (int half = 16; half > 0; half /= 2) {
        sum += __shfl_down_sync(0xFFFFFFFFU, sum, half);
    }
    if (threadIdx.x == 0) {
        atomicAdd(&distances[blockIdx.y], sum / N);
    }
}

extern "C" void solve(const float* first, const float* second, float* distances, int B, int N, int M) {
    cudaMemset(distances, 0, B * sizeof(float));
    add<<<dim3((N + 31) / 32, B), 32>>>(first, second, distances, N, M);
    add<<<dim3((M + 31) / 32, B), 32>>>(second, first, distances, M, N);
}
