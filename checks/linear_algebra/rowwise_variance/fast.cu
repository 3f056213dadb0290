// A warp a row in one pass: each lane keeps count, mean and sum of squared differences of its values, and pairs of
// lanes are joined by the rule of Chan, Golub and LeVeque.

namespace {

constexpr int threads = 128;

__global__ void variance(const float* __restrict__ input, float* __restrict__ output, int rows, int cols) {
    const long long row = (static_cast<long long>(blockIdx.x) * threads + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    const float* values = input + row * cols;
    float count = 0;
    float mean = 0;
    float squares = 0;
    for (int j = lane; j < cols; j += 32) {
        const float value = values[j];
        const float difference = value - mean;
        count += 1;
        mean += __fdividef(difference, count);
        squares = fmaf(difference, value - mean, squares);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other_count = __shfl_xor_sync(0xFFFFFFFF, count, distance);
        const float difference = __shfl_xor_sync(0xFFFFFFFF, mean, distance) - mean;
        const float other_squares = __shfl_xor_sync(0xFFFFFFFF, squares, distance);
        const float total = count + other_count;
        if (other_count > 0) {
            const float share = other_count / total;
            squares += other_squares + difference * difference * count * share;
            mean += difference * share;
            count = total;
        }
    }
    if (lane == 0) {
        output[row] = squares / static_cast<float>(cols);
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    variance<<<(rows - 1) / (threads / 32) + 1, threads>>>(input, output, rows, cols);
}
