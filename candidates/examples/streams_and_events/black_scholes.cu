// Two halves in two streams; a third waits for both by events before it uses what they wrote.
__device__ float normal_distribution(float x) {
    return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void prepare(const float* S, const float* X, const float* T, float* d1, int first, int n, float r, float v) {
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        d1[i] = (logf(S[i] / X[i]) + (r + 0.5f * v * v) * T[i]) / (v * sqrtf(T[i]));
}

__global__ void price(const float* S, const float* X, const float* T, const float* d1, float* call, float* put, int n,
                      float r, float v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float d2 = d1[i] - v * sqrtf(T[i]);
    float discounted = X[i] * expf(-r * T[i]);
    call[i] = S[i] * normal_distribution(d1[i]) - discounted * normal_distribution(d2);
    put[i] = discounted * normal_distribution(-d2) - S[i] * normal_distribution(-d1[i]);
}

extern "C" void solve(const float* stock_price, const float* strike_price, const float* years, float* call, float* put,
                      int N, float riskfree, float volatility) {
    float* d1;
    cudaMalloc(&d1, N * sizeof(float));
    int half = N / 2;
    cudaStream_t left, right, last;
    cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking);
    cudaEvent_t left_done, right_done;
    cudaEventCreateWithFlags(&left_done, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&right_done, cudaEventDisableTiming);
    if (half > 0)
        prepare<<<(half + 255) / 256, 256, 0, left>>>(stock_price, strike_price, years, d1, 0, half, riskfree,
                                                      volatility);
    cudaEventRecord(left_done, left);
    prepare<<<(N - half + 255) / 256, 256, 0, right>>>(stock_price, strike_price, years, d1, half, N, riskfree,
                                                       volatility);
    cudaEventRecord(right_done, right);
    cudaStreamWaitEvent(last, left_done, 0);
    cudaStreamWaitEvent(last, right_done, 0);
    price<<<(N + 255) / 256, 256, 0, last>>>(stock_price, strike_price, years, d1, call, put, N, riskfree, volatility);
    cudaStreamSynchronize(last);
    cudaEventDestroy(left_done);
    cudaEventDestroy(right_done);
    cudaStreamDestroy(left);
    cudaStreamDestroy(right);
    cudaStreamDestroy(last);
    cudaFree(d1);
}
