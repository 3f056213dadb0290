// A block takes a tile of both signals into shared memory, b with what lies max_lag to either side; a warp a lag adds
// up the tile's products, several lags in turn, and adds them atomically.

namespace {

constexpr int threads = 256;
constexpr int tile = 2048;

__global__ void correlate(const float* __restrict__ a, const float* __restrict__ b, float* output, int N, int max_lag) {
    extern __shared__ float shared[];
    float* left = shared;
    float* right = shared + tile; // from max_lag before the tile
    const long long start = static_cast<long long>(blockIdx.x) * tile;
    for (int i = threadIdx.x; i < tile; i += threads) {
        left[i] = start + i < N ? a[start + i] : 0;
    }
    for (int i = threadIdx.x; i < tile + 2 * max_lag; i += threads) {
        const long long at = start + i - max_lag;
        right[i] = at >= 0 && at < N ? b[at] : 0;
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    for (int lag = threadIdx.x / 32; lag <= 2 * max_lag; lag += threads / 32) {
        float even = 0;
        float odd = 0;
        for (int i = lane; i < tile; i += 64) {
            even = fmaf(left[i], right[i + lag], even);
            odd = fmaf(left[i + 32], right[i + 32 + lag], odd);
        }
        float sum = even + odd;
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
        }
        if (lane == 0) {
            atomicAdd(output + lag, sum);
        }
    }
}

} // namespace

// Lags fit in 48 KiB: there are at most 64 to either side at all scales, and not many more at edges.
extern "C" void solve(const float* a, const float* b, float* output, int N, int max_lag) {
    const size_t bytes = (2 * tile + 2 * static_cast<size_t>(max_lag)) * sizeof(float);
    cudaMemsetAsync(output, 0, (2 * static_cast<size_t>(max_lag) + 1) * sizeof(float));
    correlate<<<(N - 1) / tile + 1, threads, bytes>>>(a, b, output, N, max_lag);
}
