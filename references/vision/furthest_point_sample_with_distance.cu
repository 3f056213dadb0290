// Furthest point sampling by a matrix of distances; one block a matrix.

namespace {

constexpr int threads = 256;

__global__ void sample(const float* distances, float* nearest, int* indices, int N, int K) {
    __shared__ float largest[threads];
    __shared__ int owner[threads];
    const float* const matrix = distances + static_cast<long long>(blockIdx.x) * N * N;
    float* const minima = nearest + static_cast<long long>(blockIdx.x) * N;
    int last = 0;
    for (int step = 0; step < K; ++step) {
        if (threadIdx.x == 0) {
            indices[static_cast<long long>(blockIdx.x) * K + step] = last;
        }
        float own = -1;
        int best = N;
        for (int i = threadIdx.x; i < N; i += threads) {
            const float distance = i == last ? 0 : matrix[static_cast<long long>(last) * N + i];
            const float least = step == 0 ? distance : fminf(minima[i], distance);
            minima[i] = least;
            if (least > own) {
                own = least;
                best = i;
            }
        }
        largest[threadIdx.x] = own;
        owner[threadIdx.x] = best;
        __syncthreads();
        for (int half = threads / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) {
                const int other = threadIdx.x + half;
                const bool tie = largest[other] == largest[threadIdx.x] && owner[other] < owner[threadIdx.x];
                if (largest[other] > largest[threadIdx.x] || tie) {
                    largest[threadIdx.x] = largest[other];
                    owner[threadIdx.x] = owner[other];
                }
            }
            __syncthreads();
        }
        last = owner[0];
        __syncthreads();
    }
}

} // namespace

extern "C" void solve(const float* distances, int* indices, int B, int N, int K) {
    float* nearest = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&nearest), static_cast<size_t>(B) * N * sizeof(float));
    sample<<<B, threads>>>(distances, nearest, indices, N, K);
    cudaFree(nearest);
}
