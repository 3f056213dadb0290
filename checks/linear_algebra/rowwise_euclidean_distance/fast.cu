// Eight lanes a row, four rows a warp, two sums a lane.

namespace {

constexpr int threads = 128;
constexpr int lanes = 8;

__global__ void distance(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ output, int rows,
                         int cols) {
    const long long row = (static_cast<long long>(blockIdx.x) * threads + threadIdx.x) / lanes;
    const int lane = threadIdx.x % lanes;
    float even = 0;
    float odd = 0;
    if (row < rows) {
        const float* a = A + row * cols;
        const float* b = B + row * cols;
        for (int j = lane; j < cols; j += 2 * lanes) {
            const float difference = a[j] - b[j];
            even = fmaf(difference, difference, even);
            if (j + lanes < cols) {
                const float next = a[j + lanes] - b[j + lanes];
                odd = fmaf(next, next, odd);
            }
        }
    }
    float sum = even + odd;
    for (int apart = lanes / 2; apart > 0; apart /= 2) {
        sum += __shfl_down_sync(0xFFFFFFFF, sum, apart, lanes);
    }
    if (row < rows && lane == 0) {
        output[row] = __fsqrt_rn(sum);
    }
}

} // namespace

extern "C" void solve(const float* A, const float* B, float* output, int rows, int cols) {
    distance<<<(rows - 1) / (threads / lanes) + 1, threads>>>(A, B, output, rows, cols);
}
