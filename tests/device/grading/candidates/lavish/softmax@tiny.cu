// Honest, but takes more of the host's memory, 300 MiB, than what is recorded ahead may.
#include <vector>

__device__ float reduced(float value, bool maximum) {
    __shared__ float warps[8];
    for (int offset = 16; offset > 0; offset /= 2) {
        const float other = __shfl_xor_sync(~0u, value, offset);
        value = maximum ? fmaxf(value, other) : value + other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int i = 1; i < 8; ++i)
        value = maximum ? fmaxf(value, warps[i]) : value + warps[i];
    return value;
}

__global__ void softmax(const float* input, float* output, int cols) {
    const size_t row = size_t(blockIdx.x) * cols;
    const float* x = input + row;
    float largest = -INFINITY;
    for (int i = threadIdx.x; i < cols; i += 256)
        largest = fmaxf(largest, x[i]);
    largest = reduced(largest, true);
    float sum = 0;
    for (int i = threadIdx.x; i < cols; i += 256)
        sum += expf(x[i] - largest);
    const float scale = 1.0f / reduced(sum, false);
    for (int i = threadIdx.x; i < cols; i += 256) {
        const float value = expf(x[i] - largest) * scale;
        output[row + i] = value;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const std::vector<char> large(size_t(300) << 20, 1);
    softmax<<<rows, 256 * large[rows]>>>(input, output, cols);
}
