// A block a cloud. Distance (whole, below 2^22) and number of a point are one 64-bit key, so that a maximum of keys is
// the choice with its rule for ties; shuffles within warps, one barrier a step.

namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;

using Key = unsigned long long;

__device__ Key largest_of_warp(Key key) {
    for (int distance = 16; distance > 0; distance /= 2) {
        const Key other = __shfl_xor_sync(0xFFFFFFFF, key, distance);
        key = other > key ? other : key;
    }
    return key;
}

__global__ void sample(const float* __restrict__ points, int* __restrict__ nearest, int* __restrict__ indices, int N,
                       int K) {
    __shared__ Key best[2][warps]; // in turn, so that a step need not wait for readers of the one before
    points += static_cast<long long>(blockIdx.x) * N * 3;
    nearest += static_cast<long long>(blockIdx.x) * N;
    indices += static_cast<long long>(blockIdx.x) * K;
    int chosen = 0;
    if (threadIdx.x == 0) {
        indices[0] = 0;
    }
    for (int step = 1; step < K; ++step) {
        const int x = static_cast<int>(points[3 * chosen]);
        const int y = static_cast<int>(points[3 * chosen + 1]);
        const int z = static_cast<int>(points[3 * chosen + 2]);
        Key key = 0;
        for (int i = threadIdx.x; i < N; i += threads) {
            const int dx = static_cast<int>(points[3 * i]) - x;
            const int dy = static_cast<int>(points[3 * i + 1]) - y;
            const int dz = static_cast<int>(points[3 * i + 2]) - z;
            int distance = dx * dx + dy * dy + dz * dz;
            if (step > 1) {
                distance = min(distance, nearest[i]);
            }
            nearest[i] = distance;
            const Key own = static_cast<Key>(distance) << 32 | (0xFFFFFFFFU - static_cast<unsigned int>(i));
            key = own > key ? own : key;
        }
        key = largest_of_warp(key);
        if (threadIdx.x % 32 == 0) {
            best[step % 2][threadIdx.x / 32] = key;
        }
        __syncthreads();
        key = largest_of_warp(best[step % 2][threadIdx.x % warps]);
        chosen = static_cast<int>(0xFFFFFFFFU - static_cast<unsigned int>(key));
        if (threadIdx.x == 0) {
            indices[step] = chosen;
        }
    }
}

} // namespace

extern "C" void solve(const float* points, int* indices, int B, int N, int K) {
    int* nearest = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&nearest), static_cast<size_t>(B) * N * sizeof(int));
    sample<<<B, threads>>>(points, nearest, indices, N, K);
    cudaFree(nearest);
}
