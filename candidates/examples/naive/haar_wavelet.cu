// One launch a level; the approximations go back and forth between two buffers.
__global__ void split(const float* values, float* next, float* details, int pairs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    float a = values[2 * i];
    float b = values[2 * i + 1];
    next[i] = (a + b) * 0.70710678f;
    details[i] = (a - b) * 0.70710678f;
}

extern "C" void solve(const float* input, float* output, int N, int levels) {
    float* buffers[2];
    cudaMalloc(&buffers[0], (size_t)N / 2 * sizeof(float));
    cudaMalloc(&buffers[1], (size_t)N / 2 * sizeof(float));
    const float* values = input;
    for (int level = 1; level <= levels; ++level) {
        int pairs = N >> level;
        float* next = level == levels ? output : buffers[level % 2];
        split<<<(pairs + 255) / 256, 256>>>(values, next, output + pairs, pairs);
        values = next;
    }
    cudaFree(buffers[0]);
    cudaFree(buffers[1]);
}
