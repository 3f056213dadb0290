// The k nearest points; one thread a query with a sorted list of the nearest so far, the cloud tile by tile.

namespace {

constexpr int tile = 128; // points, and threads of a block
constexpr int most = 32;  // neighbours

__device__ int3 point_at(const float* points, long long index) {
    return make_int3(static_cast<int>(points[3 * index]), static_cast<int>(points[3 * index + 1]),
                     static_cast<int>(points[3 * index + 2]));
}

__global__ void search(const float* points, const float* queries, int* indices, int N, int M, int K) {
    __shared__ int3 others[tile];
    const long long cloud = blockIdx.y;
    const int query = blockIdx.x * tile + threadIdx.x;
    int3 place = {};
    if (query < M) {
        place = point_at(queries, cloud * M + query);
    }
    int distances[most]; // in ascending order
    int nearest[most];
    for (int k = 0; k < K; ++k) {
        distances[k] = 2147483647;
        nearest[k] = -1;
    }
    for (int first = 0; first < N; first += tile) {
        const int loaded = first + static_cast<int>(threadIdx.x);
        if (loaded < N) {
            others[threadIdx.x] = point_at(points, cloud * N + loaded);
        }
        __syncthreads();
        for (int i = 0; i < min(tile, N - first); ++i) {
            const int dx = others[i].x - place.x;
            const int dy = others[i].y - place.y;
            const int dz = others[i].z - place.z;
            const int distance = dx * dx + dy * dy + dz * dz;
            if (distance >= distances[K - 1]) {
                continue;
            }
            int k = K - 1;
            for (; k > 0 && distances[k - 1] > distance; --k) {
                distances[k] = distances[k - 1];
                nearest[k] = nearest[k - 1];
            }
            distances[k] = distance;
            nearest[k] = first + i;
        }
        __syncthreads();
    }
    if (query < M) {
        for (int k = 0; k < K; ++k) {
            indices[(cloud * M + query) * K + k] = nearest[k];
        }
    }
}

} // namespace

extern "C" void solve(const float* points, const float* queries, int* indices, int B, int N, int M, int K) {
    search<<<dim3((M + tile - 1) / tile, B), tile>>>(points, queries, indices, N, M, K);
}
