// A launch a step; the weights are written as differences.
__global__ void step(const float* before, float* after, int depth, int height, int width, float alpha) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    const int z = blockIdx.z;
    if (x >= width) {
        return;
    }
    const long long plane = static_cast<long long>(height) * width;
    const long long at = z * plane + static_cast<long long>(y) * width + x;
    const float u = before[at];
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        after[at] = u;
    } else {
        after[at] = u + alpha * (before[at - 1] + before[at + 1] + before[at - width] + before[at + width] +
                                 before[at - plane] + before[at + plane] - 6 * u);
    }
}

extern "C" void solve(const float* input, float* output, int depth, int height, int width, int steps, float alpha) {
    const size_t bytes = static_cast<size_t>(depth) * height * width * sizeof(float);
    float *before, *after;
    cudaMalloc(&before, bytes);
    cudaMalloc(&after, bytes);
    cudaMemcpy(before, input, bytes, cudaMemcpyDeviceToDevice);
    for (int k = 0; k < steps; ++k) {
        step<<<dim3((width + 63) / 64, height, depth), 64>>>(before, after, depth, height, width, alpha);
        float* const free = before;
        before = after;
        after = free;
    }
    cudaMemcpy(output, before, bytes, cudaMemcpyDeviceToDevice);
    cudaFree(before);
    cudaFree(after);
}
