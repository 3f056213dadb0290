// Chamfer distance: nearest neighbours in one direction, then in the other; distances and sums in double precision.

namespace {

constexpr int tile = 256; // points, and threads of a block

__device__ double squared_distance(const float3& a, const float3& b) {
    const double dx = static_cast<double>(a.x) - b.x;
    const double dy = static_cast<double>(a.y) - b.y;
    const double dz = static_cast<double>(a.z) - b.z;
    return dx * dx + dy * dy + dz * dz;
}

__device__ float rough_distance(const float3& a, const float3& b) {
    const float dx = a.x - b.x;
    const float dy = a.y - b.y;
    const float dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

__device__ float3 point_at(const float* points, long long index) {
    return make_float3(points[3 * index], points[3 * index + 1], points[3 * index + 2]);
}

// The least squared distance of each point from the other cloud.
__global__ void search(const float* points, const float* others, double* least, int N, int M) {
    __shared__ float3 loaded[tile];
    const long long cloud = blockIdx.y;
    const int own = blockIdx.x * tile + threadIdx.x;
    const float3 place = own < N ? point_at(points, cloud * N + own) : float3{};
    double nearest = INFINITY;
    float limit = INFINITY; // what is farther than this in single precision is not nearer in double precision either
    for (int first = 0; first < M; first += tile) {
        const int index = first + static_cast<int>(threadIdx.x);
        if (index < M) {
            loaded[threadIdx.x] = point_at(others, cloud * M + index);
        }
        __syncthreads();
        for (int i = 0; i < min(tile, M - first); ++i) {
            if (rough_distance(loaded[i], place) <= limit) {
                nearest = fmin(nearest, squared_distance(loaded[i], place));
                limit = static_cast<float>(nearest) * (1 + 1e-6F);
            }
        }
        __syncthreads();
    }
    if (own < N) {
        least[cloud * N + own] = nearest;
    }
}

// The mean of each cloud's minima, added to the result or put in its place. One block a cloud.
__global__ void add_mean(const double* least, double* results, int N, bool first) {
    __shared__ double sums[tile];
    double sum = 0;
    for (int i = threadIdx.x; i < N; i += tile) {
        sum += least[static_cast<long long>(blockIdx.x) * N + i];
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = tile / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        results[blockIdx.x] = (first ? 0.0 : results[blockIdx.x]) + sums[0] / N;
    }
}

__global__ void round_results(const double* results, float* distances, int B) {
    const int cloud = blockIdx.x * tile + threadIdx.x;
    if (cloud < B) {
        distances[cloud] = static_cast<float>(results[cloud]);
    }
}

} // namespace

extern "C" void solve(const float* first, const float* second, float* distances, int B, int N, int M) {
    double* least = nullptr;
    double* results = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&least), static_cast<size_t>(B) * (N > M ? N : M) * sizeof(double));
    cudaMalloc(reinterpret_cast<void**>(&results), B * sizeof(double));
    search<<<dim3((N + tile - 1) / tile, B), tile>>>(first, second, least, N, M);
    add_mean<<<B, tile>>>(least, results, N, true);
    search<<<dim3((M + tile - 1) / tile, B), tile>>>(second, first, least, M, N);
    add_mean<<<B, tile>>>(least, results, M, false);
    round_results<<<(B + tile - 1) / tile, tile>>>(results, distances, B);
    cudaFree(least);
    cudaFree(results);
}

// The distance itself.
extern "C" void magnitude(const float* first, const float* second, float* distances, int B, int N, int M) {
    solve(first, second, distances, B, N, M);
}
