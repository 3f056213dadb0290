// Every window from scratch.
__global__ void match(const unsigned char* left, const unsigned char* right, int* disparity, int rows, int cols,
                      int radius, int max_disparity) {
    const int j = blockIdx.x * 16 + threadIdx.x;
    const int i = blockIdx.y * 16 + threadIdx.y;
    if (i >= rows || j >= cols) {
        return;
    }
    int least = 2147483647;
    int best = 0;
    for (int d = 0; d <= max_disparity; ++d) {
        int cost = 0;
        for (int m = -radius; m <= radius; ++m) {
            const int row = min(max(i + m, 0), rows - 1) * cols;
            for (int n = -radius; n <= radius; ++n) {
                const int a = left[row + min(max(j + n, 0), cols - 1)];
                const int b = right[row + min(max(j + n - d, 0), cols - 1)];
                cost += abs(a - b);
            }
        }
        if (cost < least) {
            least = cost;
            best = d;
        }
    }
    disparity[static_cast<long long>(i) * cols + j] = best;
}

extern "C" void solve(const unsigned char* left, const unsigned char* right, int* disparity, int rows, int cols,
                      int radius, int max_disparity) {
    const dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    match<<<grid, dim3(16, 16)>>>(left, right, disparity, rows, cols, radius, max_disparity);
}
