// Neighbour after neighbour: the next is the least of those that come after the last by distance and number.
__global__ void search(const float* points, const float* queries, int* indices, int B, int N, int M, int K) {
    const int query = blockIdx.x * 128 + threadIdx.x;
    if (query >= B * M) {
        return;
    }
    const float* const cloud = points + 3LL * (query / M) * N;
    const float* const place = queries + 3LL * query;
    float last = -1;
    int last_index = -1;
    for (int k = 0; k < K; ++k) {
        float least = 1e30f;
        int nearest = -1;
        for (int i = 0; i < N; ++i) {
            const float dx = cloud[3 * i] - place[0];
            const float dy = cloud[3 * i + 1] - place[1];
            const float dz = cloud[3 * i + 2] - place[2];
            const float distance = dx * dx + dy * dy + dz * dz;
            if ((distance > last || (distance == last && i > last_index)) && distance < least) {
                least = distance;
                nearest = i;
            }
        }
        indices[static_cast<long long>(query) * K + k] = nearest;
        last = least;
        last_index = nearest;
    }
}

extern "C" void solve(const float* points, const float* queries, int* indices, int B, int N, int M, int K) {
    search<<<(B * M + 127) / 128, 128>>>(points, queries, indices, B, N, M, K);
}
