// Steps of a 25-point stencil between two grids in double precision; one thread a point.

namespace {

constexpr int threads = 128;
constexpr int radius = 4;

// Absolute values with `sizes`. Blocks: along a row, rows, planes.
__global__ void widen(const float* from, double* to, int height, int width, bool sizes) {
    const int x = blockIdx.x * threads + threadIdx.x;
    const long long place = (static_cast<long long>(blockIdx.z) * height + blockIdx.y) * width + x;
    if (x < width) {
        to[place] = sizes ? fabsf(from[place]) : from[place];
    }
}

__device__ bool inside(int at, int extent) {
    return at >= radius && at < extent - radius;
}

__global__ void step(const double* before, const float* coefficients, double* after, int depth, int height, int width,
                     bool sizes) {
    const int x = blockIdx.x * threads + threadIdx.x;
    const long long plane = static_cast<long long>(height) * width;
    const long long place = blockIdx.z * plane + static_cast<long long>(blockIdx.y) * width + x;
    if (x >= width) {
        return;
    }
    double sum = before[place];
    if (inside(x, width) && inside(blockIdx.y, height) && inside(blockIdx.z, depth)) {
        sum *= sizes ? fabsf(coefficients[0]) : coefficients[0];
        for (int r = 1; r <= radius; ++r) {
            const double factor = sizes ? fabsf(coefficients[r]) : coefficients[r];
            sum += factor * (before[place - r] + before[place + r] + before[place - r * static_cast<long long>(width)] +
                             before[place + r * static_cast<long long>(width)] + before[place - r * plane] +
                             before[place + r * plane]);
        }
    }
    after[place] = sum;
}

__global__ void narrow(const double* from, float* to, int height, int width) {
    const int x = blockIdx.x * threads + threadIdx.x;
    const long long place = (static_cast<long long>(blockIdx.z) * height + blockIdx.y) * width + x;
    if (x < width) {
        to[place] = static_cast<float>(from[place]);
    }
}

void run(const float* input, const float* coefficients, float* output, int depth, int height, int width, int steps,
         bool sizes) {
    const size_t bytes = static_cast<size_t>(depth) * height * width * sizeof(double);
    const dim3 grid((width + threads - 1) / threads, height, depth);
    double* before = nullptr;
    double* after = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&before), bytes);
    cudaMalloc(reinterpret_cast<void**>(&after), bytes);
    widen<<<grid, threads>>>(input, before, height, width, sizes);
    for (int k = 0; k < steps; ++k) {
        step<<<grid, threads>>>(before, coefficients, after, depth, height, width, sizes);
        double* const free = before;
        before = after;
        after = free;
    }
    narrow<<<grid, threads>>>(before, output, height, width);
    cudaFree(before);
    cudaFree(after);
}

} // namespace

extern "C" void solve(const float* input, const float* coefficients, float* output, int depth, int height, int width,
                      int steps) {
    run(input, coefficients, output, depth, height, width, steps, false);
}

// The same steps over absolute values.
extern "C" void magnitude(const float* input, const float* coefficients, float* output, int depth, int height,
                          int width, int steps) {
    run(input, coefficients, output, depth, height, width, steps, true);
}
