__global__ void search(const float* unknown, const float* known, float* squared_distances, int* indices, int B, int N,
                       int M) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= B * N) {
        return;
    }
    const float* const cloud = known + 3LL * (i / N) * M;
    float a = 1e30f;
    float b = 1e30f;
    float c = 1e30f;
    int ia = -1;
    int ib = -1;
    int ic = -1;
    for (int j = 0; j < M; ++j) {
        const float dx = cloud[3 * j] - unknown[3 * i];
        const float dy = cloud[3 * j + 1] - unknown[3 * i + 1];
        const float dz = cloud[3 * j + 2] - unknown[3 * i + 2];
        const float d = dx * dx + dy * dy + dz * dz;
        if (d < a) {
            c = b, ic = ib, b = a, ib = ia, a = d, ia = j;
        } else if (d < b) {
            c = b, ic = ib, b = d, ib = j;
        } else if (d < c) {
            c = d, ic = j;
        }
    }
    squared_distances[3 * i] = a;
    squared_distances[3 * i + 1] = b;
    squared_distances[3 * i + 2] = c;
    indices[3 * i] = ia;
    indices[3 * i + 1] = ib;
    indices[3 * i + 2] = ic;
}

extern "C" void solve(const float* unknown, const float* known, float* squared_distances, int* indices, int B, int N,
                      int M) {
    search<<<(B * N + 127) / 128, 128>>>(unknown, known, squared_distances, indices, B, N, M);
}
