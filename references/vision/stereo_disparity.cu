// Disparity by block matching: for each shift, sums of absolute differences along rows, then along columns.

namespace {

constexpr int threads = 256;

__global__ void sum_rows(const unsigned char* left, const unsigned char* right, int* sums, int rows, int cols,
                         int radius, int shift) {
    const long long pixel = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (pixel >= static_cast<long long>(rows) * cols) {
        return;
    }
    const long long row = pixel / cols * cols;
    const int col = static_cast<int>(pixel % cols);
    int sum = 0;
    for (int n = -radius; n <= radius; ++n) {
        const int in_left = min(max(col + n, 0), cols - 1);
        const int in_right = min(max(col + n - shift, 0), cols - 1);
        sum += abs(static_cast<int>(left[row + in_left]) - static_cast<int>(right[row + in_right]));
    }
    sums[pixel] = sum;
}

// Keeps the shift if it costs less than all before.
__global__ void compare(const int* sums, int* least, int* disparity, int rows, int cols, int radius, int shift) {
    const long long pixel = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (pixel >= static_cast<long long>(rows) * cols) {
        return;
    }
    const int row = static_cast<int>(pixel / cols);
    const int col = static_cast<int>(pixel % cols);
    int cost = 0;
    for (int m = -radius; m <= radius; ++m) {
        cost += sums[static_cast<long long>(min(max(row + m, 0), rows - 1)) * cols + col];
    }
    if (shift == 0 || cost < least[pixel]) {
        least[pixel] = cost;
        disparity[pixel] = shift;
    }
}

} // namespace

extern "C" void solve(const unsigned char* left, const unsigned char* right, int* disparity, int rows, int cols,
                      int radius, int max_disparity) {
    const size_t pixels = static_cast<size_t>(rows) * cols;
    const int blocks = static_cast<int>((pixels + threads - 1) / threads);
    int* sums = nullptr;
    int* least = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), pixels * sizeof(int));
    cudaMalloc(reinterpret_cast<void**>(&least), pixels * sizeof(int));
    for (int shift = 0; shift <= max_disparity; ++shift) {
        sum_rows<<<blocks, threads>>>(left, right, sums, rows, cols, radius, shift);
        compare<<<blocks, threads>>>(sums, least, disparity, rows, cols, radius, shift);
    }
    cudaFree(sums);
    cudaFree(least);
}
