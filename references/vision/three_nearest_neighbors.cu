// The three nearest known points; one thread an unknown point, the known ones tile by tile.

namespace {

constexpr int tile = 256; // points, and threads of a block

__device__ int3 point_at(const float* points, long long index) {
    return make_int3(static_cast<int>(points[3 * index]), static_cast<int>(points[3 * index + 1]),
                     static_cast<int>(points[3 * index + 2]));
}

__global__ void search(const float* unknown, const float* known, float* squared_distances, int* indices, int N, int M) {
    __shared__ int3 others[tile];
    const long long cloud = blockIdx.y;
    const int own = blockIdx.x * tile + threadIdx.x;
    int3 place = {};
    if (own < N) {
        place = point_at(unknown, cloud * N + own);
    }
    int distances[3] = {2147483647, 2147483647, 2147483647}; // in ascending order
    int nearest[3] = {-1, -1, -1};
    for (int first = 0; first < M; first += tile) {
        const int loaded = first + static_cast<int>(threadIdx.x);
        if (loaded < M) {
            others[threadIdx.x] = point_at(known, cloud * M + loaded);
        }
        __syncthreads();
        for (int i = 0; i < min(tile, M - first); ++i) {
            const int dx = others[i].x - place.x;
            const int dy = others[i].y - place.y;
            const int dz = others[i].z - place.z;
            const int distance = dx * dx + dy * dy + dz * dz;
            if (distance >= distances[2]) {
                continue;
            }
            distances[2] = distance;
            nearest[2] = first + i;
            for (int k = 2; k > 0 && distances[k] < distances[k - 1]; --k) {
                const int farther = distances[k - 1];
                distances[k - 1] = distances[k];
                distances[k] = farther;
                const int other = nearest[k - 1];
                nearest[k - 1] = nearest[k];
                nearest[k] = other;
            }
        }
        __syncthreads();
    }
    if (own < N) {
        for (int k = 0; k < 3; ++k) {
            squared_distances[(cloud * N + own) * 3 + k] = static_cast<float>(distances[k]);
            indices[(cloud * N + own) * 3 + k] = nearest[k];
        }
    }
}

} // namespace

extern "C" void solve(const float* unknown, const float* known, float* squared_distances, int* indices, int B, int N,
                      int M) {
    search<<<dim3((N + tile - 1) / tile, B), tile>>>(unknown, known, squared_distances, indices, N, M);
}
