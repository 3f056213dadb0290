// Furthest point sampling; one block a cloud, all distances as whole numbers.

#include <climits>

namespace {

constexpr int threads = 512;

struct Furthest {
    int distance; // squared
    int index;
};

// The further one; of equally far ones that with the lower index.
__device__ Furthest further(Furthest a, Furthest b) {
    const bool first = a.distance > b.distance || (a.distance == b.distance && a.index < b.index);
    return first ? a : b;
}

__device__ Furthest furthest_of_block(Furthest own) {
    __shared__ Furthest partial[threads];
    __syncthreads(); // the array's last readers are done
    partial[threadIdx.x] = own;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] = further(partial[threadIdx.x], partial[threadIdx.x + half]);
        }
        __syncthreads();
    }
    return partial[0];
}

// The coordinates are whole numbers.
__device__ int squared_distance(const float* a, const float* b) {
    int sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int difference = static_cast<int>(a[axis]) - static_cast<int>(b[axis]);
        sum += difference * difference;
    }
    return sum;
}

// nearest: N distances a cloud, from each point to the nearest chosen one; each thread reads and writes its own.
__global__ void sample(const float* points, int* nearest, int* indices, int N, int K) {
    points += 3LL * blockIdx.x * N;
    nearest += static_cast<long long>(blockIdx.x) * N;
    indices += static_cast<long long>(blockIdx.x) * K;
    for (int i = threadIdx.x; i < N; i += threads) {
        nearest[i] = INT_MAX;
    }
    int chosen = 0;
    for (int step = 0; step < K; ++step) {
        if (threadIdx.x == 0) {
            indices[step] = chosen;
        }
        Furthest own = {-1, INT_MAX};
        for (int i = threadIdx.x; i < N; i += threads) {
            nearest[i] = min(nearest[i], squared_distance(points + 3LL * i, points + 3LL * chosen));
            own = further(own, {nearest[i], i});
        }
        chosen = furthest_of_block(own).index;
    }
}

} // namespace

extern "C" void solve(const float* points, int* indices, int B, int N, int K) {
    int* nearest = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&nearest), static_cast<size_t>(B) * N * sizeof(int));
    sample<<<B, threads>>>(points, nearest, indices, N, K);
    cudaFree(nearest);
}
