// Bloom: bright values are averaged over a disc and added; one thread a pixel, whole numbers.

namespace {

__global__ void bloom(const unsigned char* input, unsigned char* output, int rows, int cols, int radius, int threshold,
                      int highlight) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    int places = 0;
    int sums[3] = {};
    for (int m = -radius; m <= radius; ++m) {
        for (int n = -radius; n <= radius; ++n) {
            if (m * m + n * n > radius * radius) {
                continue;
            }
            ++places;
            const int y = row + m;
            const int x = col + n;
            if (y < 0 || y >= rows || x < 0 || x >= cols) {
                continue;
            }
            for (int c = 0; c < 3; ++c) {
                const int value = input[4 * (static_cast<long long>(y) * cols + x) + c];
                sums[c] += value >= threshold ? value : 0;
            }
        }
    }
    const long long pixel = 4 * (static_cast<long long>(row) * cols + col);
    for (int c = 0; c < 3; ++c) {
        output[pixel + c] = static_cast<unsigned char>(min(255, input[pixel + c] + highlight * sums[c] / places));
    }
    output[pixel + 3] = input[pixel + 3];
}

} // namespace

extern "C" void solve(const unsigned char* input, unsigned char* output, int rows, int cols, int radius, int threshold,
                      int highlight) {
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    bloom<<<grid, block>>>(input, output, rows, cols, radius, threshold, highlight);
}
