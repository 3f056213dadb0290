// 128 bodies at a time through shared memory, with 16 bytes each; four threads share a body's sums, so that the order
// of additions is another.

namespace {

constexpr int bodies = 32; // of a block
constexpr int shares = 4;
constexpr int threads = bodies * shares;

__global__ void accelerate(const float* __restrict__ positions, const float* __restrict__ masses,
                           float* __restrict__ accelerations, int N, float softening) {
    __shared__ float4 tile[threads];
    const long long i = static_cast<long long>(blockIdx.x) * bodies + threadIdx.x / shares;
    const int share = threadIdx.x % shares;
    const long long own = i < N ? i : N - 1;
    const float x = positions[3 * own];
    const float y = positions[3 * own + 1];
    const float z = positions[3 * own + 2];
    const float squared = softening * softening;
    float3 sum = {0, 0, 0};
    for (int start = 0; start < N; start += threads) {
        const long long j = start + static_cast<long long>(threadIdx.x);
        __syncthreads();
        if (j < N) {
            tile[threadIdx.x] = make_float4(positions[3 * j], positions[3 * j + 1], positions[3 * j + 2], masses[j]);
        }
        __syncthreads();
        const int count = min(threads, N - start);
        for (int k = share; k < count; k += shares) {
            const float4 other = tile[k];
            const float dx = other.x - x;
            const float dy = other.y - y;
            const float dz = other.z - z;
            const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, squared))));
            const float strength = other.w * inverse * (inverse * inverse);
            sum.x = fmaf(strength, dx, sum.x);
            sum.y = fmaf(strength, dy, sum.y);
            sum.z = fmaf(strength, dz, sum.z);
        }
    }
    for (int distance = shares / 2; distance > 0; distance /= 2) {
        sum.x += __shfl_down_sync(0xFFFFFFFF, sum.x, distance, shares);
        sum.y += __shfl_down_sync(0xFFFFFFFF, sum.y, distance, shares);
        sum.z += __shfl_down_sync(0xFFFFFFFF, sum.z, distance, shares);
    }
    if (i < N && share == 0) {
        accelerations[3 * i] = sum.x;
        accelerations[3 * i + 1] = sum.y;
        accelerations[3 * i + 2] = sum.z;
    }
}

} // namespace

extern "C" void solve(const float* positions, const float* masses, float* accelerations, int N, float softening) {
    accelerate<<<(N - 1) / bodies + 1, threads>>>(positions, masses, accelerations, N, softening);
}
