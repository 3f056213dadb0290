// Five levels a launch: a warp takes 32 values of one block of the transform and halves them by shuffles. Scaling by
// powers of sqrt(1/2) is left to the end of each coefficient, so that sums are of plain values.

namespace {

constexpr int threads = 256;
constexpr int at_once = 5;

// From `values` (N / 2^done of them, already scaled) `levels` further ones; the approximations go to `next`.
__global__ void split(const float* __restrict__ values, float* __restrict__ next, float* __restrict__ output, int N,
                      int done, int levels) {
    const int count = N >> done;
    const long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    const int lane = threadIdx.x % 32;
    float value = i < count ? values[i] : 0;
    float scale = 1;
    for (int level = 1; level <= levels; ++level) {
        scale *= 0.70710678118654752F;
        const int distance = 1 << (level - 1);
        const float other = __shfl_xor_sync(0xFFFFFFFF, value, distance);
        const float difference = value - other;
        if (i < count && (lane & (2 * distance - 1)) == 0) {
            output[(static_cast<long long>(N) >> (done + level)) + (i >> level)] = difference * scale;
        }
        value += other;
    }
    if (i < count && (lane & ((1 << levels) - 1)) == 0) {
        next[i >> levels] = value * scale;
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int N, int levels) {
    float* buffers[2] = {};
    for (float*& buffer : buffers) {
        cudaMalloc(reinterpret_cast<void**>(&buffer), (static_cast<size_t>(N) / 2 + 1) * sizeof(float));
    }
    const float* values = input;
    int done = 0;
    for (int turn = 0; done < levels; turn = 1 - turn) {
        const int now = levels - done < at_once ? levels - done : at_once;
        float* next = done + now == levels ? output : buffers[turn];
        split<<<((N >> done) - 1) / threads + 1, threads>>>(values, next, output, N, done, now);
        values = next;
        done += now;
    }
    for (float* buffer : buffers) {
        cudaFree(buffer);
    }
}
