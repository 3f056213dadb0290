// Explicit steps of the heat equation between two grids in double precision; one thread a point.

namespace {

constexpr int threads = 128;

// Absolute values with `sizes`. Blocks: along a row, rows, planes.
__global__ void widen(const float* from, double* to, int height, int width, bool sizes) {
    const int x = blockIdx.x * threads + threadIdx.x;
    const long long place = (static_cast<long long>(blockIdx.z) * height + blockIdx.y) * width + x;
    if (x < width) {
        to[place] = sizes ? fabsf(from[place]) : from[place];
    }
}

__global__ void step(const double* before, double* after, int depth, int height, int width, double alpha) {
    const int x = blockIdx.x * threads + threadIdx.x;
    const int y = blockIdx.y;
    const int z = blockIdx.z;
    const long long plane = static_cast<long long>(height) * width;
    const long long place = z * plane + static_cast<long long>(y) * width + x;
    if (x >= width) {
        return;
    }
    const double u = before[place];
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        after[place] = u;
        return;
    }
    const double neighbours = before[place - 1] + before[place + 1] + before[place - width] + before[place + width] +
                              before[place - plane] + before[place + plane];
    after[place] = (1 - 6 * alpha) * u + alpha * neighbours;
}

__global__ void narrow(const double* from, float* to, int height, int width) {
    const int x = blockIdx.x * threads + threadIdx.x;
    const long long place = (static_cast<long long>(blockIdx.z) * height + blockIdx.y) * width + x;
    if (x < width) {
        to[place] = static_cast<float>(from[place]);
    }
}

void run(const float* input, float* output, int depth, int height, int width, int steps, float alpha, bool sizes) {
    const size_t bytes = static_cast<size_t>(depth) * height * width * sizeof(double);
    const dim3 grid((width + threads - 1) / threads, height, depth);
    double* before = nullptr;
    double* after = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&before), bytes);
    cudaMalloc(reinterpret_cast<void**>(&after), bytes);
    widen<<<grid, threads>>>(input, before, height, width, sizes);
    for (int k = 0; k < steps; ++k) {
        step<<<grid, threads>>>(before, after, depth, height, width, alpha);
        double* const free = before;
        before = after;
        after = free;
    }
    narrow<<<grid, threads>>>(before, output, height, width);
    cudaFree(before);
    cudaFree(after);
}

} // namespace

extern "C" void solve(const float* input, float* output, int depth, int height, int width, int steps, float alpha) {
    run(input, output, depth, height, width, steps, alpha, false);
}

// The same steps over absolute values.
extern "C" void magnitude(const float* input, float* output, int depth, int height, int width, int steps, float alpha) {
    run(input, output, depth, height, width, steps, alpha, true);
}
