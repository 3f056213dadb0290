// One block a row; maximum and sum kept together in one pass over the row (online softmax).
struct State {
    float largest;
    float sum;
};

__device__ State merge(State a, State b) {
    float largest = fmaxf(a.largest, b.largest);
    if (largest == -INFINITY)
        return {largest, 0.0f};
    return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

__global__ __launch_bounds__(256) void softmax(const float* __restrict__ input, float* __restrict__ output, int cols) {
    const float* x = input + (size_t)blockIdx.x * cols;
    float* y = output + (size_t)blockIdx.x * cols;
    State state{-INFINITY, 0.0f};
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        state = merge(state, {x[i], 1.0f});
    for (int offset = 16; offset > 0; offset /= 2)
        state = merge(state, {__shfl_xor_sync(~0u, state.largest, offset), __shfl_xor_sync(~0u, state.sum, offset)});
    __shared__ State warps[8];
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = state;
    __syncthreads();
    state = warps[0];
    for (int i = 1; i < 8; ++i)
        state = merge(state, warps[i]);
    float scale = 1.0f / state.sum;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        y[i] = expf(x[i] - state.largest) * scale;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    softmax<<<rows, 256>>>(input, output, cols);
}
