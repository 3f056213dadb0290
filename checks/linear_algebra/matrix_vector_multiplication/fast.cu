// A warp takes two rows at once, so that each value of x that it loads serves both; two sums a lane and row.

namespace {

constexpr int threads = 128;

__device__ float sum_of_warp(float value) {
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
    }
    return value;
}

__global__ void multiply(const float* __restrict__ A, const float* __restrict__ x, float* __restrict__ y, int M,
                         int N) {
    const int lane = threadIdx.x % 32;
    const long long first = 2 * ((static_cast<long long>(blockIdx.x) * threads + threadIdx.x) / 32);
    if (first >= M) {
        return;
    }
    const bool both = first + 1 < M;
    const float* upper = A + first * N;
    const float* lower = both ? upper + N : upper;
    float sums[2][2] = {};
    int j = lane;
    for (; j + 32 < N; j += 64) {
        const float near = __ldg(x + j);
        const float far = __ldg(x + j + 32);
        sums[0][0] = fmaf(upper[j], near, sums[0][0]);
        sums[0][1] = fmaf(upper[j + 32], far, sums[0][1]);
        sums[1][0] = fmaf(lower[j], near, sums[1][0]);
        sums[1][1] = fmaf(lower[j + 32], far, sums[1][1]);
    }
    if (j < N) {
        const float near = __ldg(x + j);
        sums[0][0] = fmaf(upper[j], near, sums[0][0]);
        sums[1][0] = fmaf(lower[j], near, sums[1][0]);
    }
    const float above = sum_of_warp(sums[0][0] + sums[0][1]);
    const float below = sum_of_warp(sums[1][0] + sums[1][1]);
    if (lane == 0) {
        y[first] = above;
    } else if (lane == 1 && both) {
        y[first + 1] = below;
    }
}

} // namespace

extern "C" void solve(const float* A, const float* x, float* y, int M, int N) {
    const int rows_of_block = 2 * threads / 32;
    multiply<<<(M - 1) / rows_of_block + 1, threads>>>(A, x, y, M, N);
}
