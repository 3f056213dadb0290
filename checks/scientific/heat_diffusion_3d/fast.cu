// Blocks of 32 x 8 columns march through the planes: the planes above and below lie in registers, the present one in
// shared memory. The two buffers are the output and one of our own.

namespace {

constexpr int across = 32;
constexpr int down = 8;

__global__ void step(const float* __restrict__ before, float* __restrict__ after, int depth, int height, int width,
                     float alpha) {
    __shared__ float plane[down + 2][across + 2];
    const int x = blockIdx.x * across + threadIdx.x;
    const int y = blockIdx.y * down + threadIdx.y;
    const bool within = x < width && y < height;
    const bool inside = within && x > 0 && x < width - 1 && y > 0 && y < height - 1;
    const long long size = static_cast<long long>(height) * width;
    const long long at = static_cast<long long>(y) * width + x;
    float below = 0;
    float here = within ? before[at] : 0;
    for (int z = 0; z < depth; ++z) {
        const float* layer = before + z * size;
        const float above = within && z + 1 < depth ? layer[size + at] : 0;
        __syncthreads();
        plane[threadIdx.y + 1][threadIdx.x + 1] = here;
        if (inside) {
            if (threadIdx.x == 0) {
                plane[threadIdx.y + 1][0] = layer[at - 1];
            }
            if (threadIdx.x == across - 1) {
                plane[threadIdx.y + 1][across + 1] = layer[at + 1];
            }
            if (threadIdx.y == 0) {
                plane[0][threadIdx.x + 1] = layer[at - width];
            }
            if (threadIdx.y == down - 1) {
                plane[down + 1][threadIdx.x + 1] = layer[at + width];
            }
        }
        __syncthreads();
        if (within) {
            float value = here;
            if (inside && z > 0 && z < depth - 1) {
                const float sum = plane[threadIdx.y + 1][threadIdx.x] + plane[threadIdx.y + 1][threadIdx.x + 2] +
                                  plane[threadIdx.y][threadIdx.x + 1] + plane[threadIdx.y + 2][threadIdx.x + 1] +
                                  below + above;
                value = fmaf(alpha, fmaf(-6.0F, here, sum), here);
            }
            after[z * size + at] = value;
        }
        below = here;
        here = above;
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int depth, int height, int width, int steps, float alpha) {
    const size_t bytes = static_cast<size_t>(depth) * height * width * sizeof(float);
    float* between = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&between), bytes);
    const float* before = input;
    for (int left = steps; left > 0; --left) {
        float* const after = left % 2 == 1 ? output : between; // the last step writes the output
        step<<<dim3((width - 1) / across + 1, (height - 1) / down + 1), dim3(across, down)>>>(before, after, depth,
                                                                                              height, width, alpha);
        before = after;
    }
    if (steps == 0) {
        cudaMemcpyAsync(output, input, bytes, cudaMemcpyDeviceToDevice);
    }
    cudaFree(between);
}
