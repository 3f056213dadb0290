// A warp a centre: 32 points at a time.
__global__ void query(const float* points, const float* centres, int* indices, int N, int M, int K, float limit) {
    const long long centre = blockIdx.x;
    const float* const cloud = points + 3 * (centre / M) * N;
    const int lane = threadIdx.x;
    int found = 0;
    int first = -1;
    for (int start = 0; start < N && found < K; start += 32) {
        const int i = start + lane;
        bool inside = false;
        if (i < N) {
            const float dx = cloud[3 * i] - centres[3 * centre];
            const float dy = cloud[3 * i + 1] - centres[3 * centre + 1];
            const float dz = cloud[3 * i + 2] - centres[3 * centre + 2];
            inside = dx * dx + dy * dy + dz * dz < limit;
        }
        const unsigned int lanes = __ballot_sync(0xFFFFFFFFU, inside);
        const int place = found + __popc(lanes & ((1U << lane) - 1));
        if (inside && place < K) {
            indices[centre * K + place] = i;
        }
        if (first < 0 && lanes != 0) {
            first = start + __ffs(lanes) - 1;
        }
        found += __popc(lanes);
    }
    for (int place = found + lane; place < K; place += 32) {
        indices[centre * K + place] = first;
    }
}

extern "C" void solve(const float* points, const float* centres, int* indices, int B, int N, int M, int K,
                      float squared_radius) {
    query<<<B * M, 32>>>(points, centres, indices, N, M, K, squared_radius);
}
