// Both reads and writes run forwards: a tile is turned round in shared memory. Reads of 16 bytes; a tile's place in the
// output need not be a multiple of that.

namespace {

constexpr int threads = 256;
constexpr int tile = 4 * threads;

__global__ void reverse(const float* __restrict__ input, float* __restrict__ output, int N) {
    __shared__ __align__(16) float turned[tile];
    const long long start = static_cast<long long>(blockIdx.x) * tile;
    const int count = static_cast<int>(N - start < tile ? N - start : tile);
    if (count == tile) {
        const float4 quad = reinterpret_cast<const float4*>(input + start)[threadIdx.x];
        const int at = tile - 4 * (static_cast<int>(threadIdx.x) + 1);
        *reinterpret_cast<float4*>(turned + at) = make_float4(quad.w, quad.z, quad.y, quad.x);
    } else {
        for (int i = threadIdx.x; i < count; i += threads) {
            turned[count - 1 - i] = input[start + i];
        }
    }
    __syncthreads();
    float* place = output + (N - start - count);
    for (int i = threadIdx.x; i < count; i += threads) {
        __stcs(place + i, turned[i]);
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int N) {
    reverse<<<(N - 1) / tile + 1, threads>>>(input, output, N);
}
