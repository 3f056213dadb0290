// A grid of limited size, 16 bytes at a time by streaming loads and stores.

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 2048;

__global__ void add(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int N) {
    const int quads = N / 4;
    const float4* a = reinterpret_cast<const float4*>(A);
    const float4* b = reinterpret_cast<const float4*>(B);
    float4* c = reinterpret_cast<float4*>(C);
    for (int i = blockIdx.x * threads + threadIdx.x; i < quads; i += gridDim.x * threads) {
        const float4 left = __ldcs(a + i);
        const float4 right = __ldcs(b + i);
        __stcs(c + i, make_float4(left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w));
    }
    const int rest = 4 * quads + threadIdx.x;
    if (blockIdx.x == 0 && rest < N) {
        C[rest] = A[rest] + B[rest];
    }
}

} // namespace

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    const int needed = N / 4 / threads + 1;
    const int blocks = needed < most_blocks ? needed : most_blocks;
    add<<<blocks, threads>>>(A, B, C, N);
}
