// One thread an option, one value at a time.
__device__ float normal_distribution(float x) {
    return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void price(const float* S, const float* X, const float* T, float* call, float* put, int n, float r,
                      float v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float root = sqrtf(T[i]);
    float d1 = (logf(S[i] / X[i]) + (r + 0.5f * v * v) * T[i]) / (v * root);
    float d2 = d1 - v * root;
    float discounted = X[i] * expf(-r * T[i]);
    call[i] = S[i] * normal_distribution(d1) - discounted * normal_distribution(d2);
    put[i] = discounted * normal_distribution(-d2) - S[i] * normal_distribution(-d1);
}

extern "C" void solve(const float* stock_price, const float* strike_price, const float* years, float* call, float* put,
                      int N, float riskfree, float volatility) {
    price<<<(N + 255) / 256, 256>>>(stock_price, strike_price, years, call, put, N, riskfree, volatility);
}
