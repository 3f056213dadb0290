// A launch a step; every neighbour is multiplied on its own.
__global__ void step(const float* before, const float* c, float* after, int depth, int height, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    const int z = blockIdx.z;
    if (x >= width) {
        return;
    }
    const long long plane = static_cast<long long>(height) * width;
    const long long at = z * plane + static_cast<long long>(y) * width + x;
    float sum = before[at];
    if (x >= 4 && x < width - 4 && y >= 4 && y < height - 4 && z >= 4 && z < depth - 4) {
        sum *= c[0];
        for (int r = 1; r <= 4; ++r) {
            sum += c[r] * before[at - r] + c[r] * before[at + r];
            sum += c[r] * before[at - r * width] + c[r] * before[at + r * width];
            sum += c[r] * before[at - r * plane] + c[r] * before[at + r * plane];
        }
    }
    after[at] = sum;
}

extern "C" void solve(const float* input, const float* coefficients, float* output, int depth, int height, int width,
                      int steps) {
    const size_t bytes = static_cast<size_t>(depth) * height * width * sizeof(float);
    float *before, *after;
    cudaMalloc(&before, bytes);
    cudaMalloc(&after, bytes);
    cudaMemcpy(before, input, bytes, cudaMemcpyDeviceToDevice);
    for (int k = 0; k < steps; ++k) {
        step<<<dim3((width + 63) / 64, height, depth), 64>>>(before, coefficients, after, depth, height, width);
        float* const free = before;
        before = after;
        after = free;
    }
    cudaMemcpy(output, before, bytes, cudaMemcpyDeviceToDevice);
    cudaFree(before);
    cudaFree(after);
}
