// One block a cloud, distances in global memory, a tree in shared memory for each step.
__global__ void sample(const float* points, float* nearest, int* indices, int n, int k) {
    __shared__ float best_distance[256];
    __shared__ int best_index[256];
    points += (size_t)blockIdx.x * n * 3;
    nearest += (size_t)blockIdx.x * n;
    indices += (size_t)blockIdx.x * k;
    int t = threadIdx.x;
    for (int i = t; i < n; i += 256)
        nearest[i] = 1e30f;
    int last = 0;
    if (t == 0)
        indices[0] = 0;
    for (int step = 1; step < k; ++step) {
        float x = points[3 * last], y = points[3 * last + 1], z = points[3 * last + 2];
        float distance = -1;
        int index = 0;
        for (int i = t; i < n; i += 256) {
            float dx = points[3 * i] - x, dy = points[3 * i + 1] - y, dz = points[3 * i + 2] - z;
            nearest[i] = fminf(nearest[i], dx * dx + dy * dy + dz * dz);
            if (nearest[i] > distance) {
                distance = nearest[i];
                index = i;
            }
        }
        best_distance[t] = distance;
        best_index[t] = index;
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (t < half) {
                float other = best_distance[t + half];
                if (other > best_distance[t] || (other == best_distance[t] && best_index[t + half] < best_index[t])) {
                    best_distance[t] = other;
                    best_index[t] = best_index[t + half];
                }
            }
            __syncthreads();
        }
        last = best_index[0];
        if (t == 0)
            indices[step] = last;
        __syncthreads();
    }
}

extern "C" void solve(const float* points, int* indices, int B, int N, int K) {
    float* nearest;
    cudaMalloc(&nearest, (size_t)B * N * sizeof(float));
    sample<<<B, 256>>>(points, nearest, indices, N, K);
    cudaFree(nearest);
}
