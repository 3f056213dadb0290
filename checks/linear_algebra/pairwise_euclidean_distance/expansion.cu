// One thread a pair, by the expansion of the square.
__global__ void measure(const float* X, const float* Y, float* distances, int M, int N, int D) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (column >= N) {
        return;
    }
    float squares_of_x = 0, squares_of_y = 0, products = 0;
    for (int d = 0; d < D; ++d) {
        const float x = X[static_cast<long long>(row) * D + d];
        const float y = Y[static_cast<long long>(column) * D + d];
        squares_of_x += x * x;
        squares_of_y += y * y;
        products += x * y;
    }
    distances[static_cast<long long>(row) * N + column] = sqrtf(fmaxf(squares_of_x + squares_of_y - 2 * products, 0));
}

extern "C" void solve(const float* X, const float* Y, float* distances, int M, int N, int D) {
    measure<<<dim3((N + 127) / 128, M), 128>>>(X, Y, distances, M, N, D);
}
