// One block an option; powers one by one.
__global__ void value(const float* stock_price, const float* strike_price, float* put, int steps, float up,
                      float weight_up, float weight_down) {
    __shared__ float powers[2 * 2048 + 1];
    __shared__ float values[2][2049];
    if (threadIdx.x == 0) {
        powers[steps] = 1;
        for (int k = 1; k <= steps; ++k) {
            powers[steps + k] = powers[steps + k - 1] * up;
            powers[steps - k] = powers[steps - k + 1] / up;
        }
    }
    __syncthreads();
    const float stock = stock_price[blockIdx.x];
    const float strike = strike_price[blockIdx.x];
    for (int n = steps; n >= 0; --n) {
        for (int j = threadIdx.x; j <= n; j += blockDim.x) {
            const float exercise = strike - stock * powers[steps + 2 * j - n];
            const float* next = values[(n + 1) % 2];
            const float hold = n == steps ? 0 : weight_up * next[j + 1] + weight_down * next[j];
            values[n % 2][j] = fmaxf(hold, exercise);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        put[blockIdx.x] = values[0][0];
    }
}

extern "C" void solve(const float* stock_price, const float* strike_price, float* put, int N, int steps, float up,
                      float weight_up, float weight_down) {
    value<<<N, 64>>>(stock_price, strike_price, put, steps, up, weight_up, weight_down);
}
