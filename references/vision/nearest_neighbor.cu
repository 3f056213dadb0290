// Nearest other point of each point; one thread a point, which sees the cloud tile by tile through shared memory.

namespace {

constexpr int tile = 256; // points, and threads of a block

__global__ void search(const float* points, int* indices, int N) {
    __shared__ int3 others[tile];
    const int own = blockIdx.x * tile + threadIdx.x;
    int3 place = {};
    if (own < N) {
        place = make_int3(static_cast<int>(points[3 * own]), static_cast<int>(points[3 * own + 1]),
                          static_cast<int>(points[3 * own + 2]));
    }
    int least = 2147483647;
    int nearest = -1;
    for (int first = 0; first < N; first += tile) {
        const int loaded = first + static_cast<int>(threadIdx.x);
        if (loaded < N) {
            others[threadIdx.x] =
                make_int3(static_cast<int>(points[3 * loaded]), static_cast<int>(points[3 * loaded + 1]),
                          static_cast<int>(points[3 * loaded + 2]));
        }
        __syncthreads();
        for (int i = 0; i < min(tile, N - first); ++i) {
            const int dx = others[i].x - place.x;
            const int dy = others[i].y - place.y;
            const int dz = others[i].z - place.z;
            const int distance = dx * dx + dy * dy + dz * dz;
            if (distance < least && first + i != own) {
                least = distance;
                nearest = first + i;
            }
        }
        __syncthreads();
    }
    if (own < N) {
        indices[own] = nearest;
    }
}

} // namespace

extern "C" void solve(const float* points, int* indices, int N) {
    search<<<(N + tile - 1) / tile, tile>>>(points, indices, N);
}
