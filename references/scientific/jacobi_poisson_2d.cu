// Jacobi sweeps between two grids in double precision; one thread a point.

namespace {

constexpr int threads = 256;

// Absolute values with `sizes`.
__global__ void widen(const float* from, double* to, int cols, bool sizes) {
    const int column = blockIdx.x * threads + threadIdx.x;
    const long long place = static_cast<long long>(blockIdx.y) * cols + column;
    if (column < cols) {
        to[place] = sizes ? fabsf(from[place]) : from[place];
    }
}

__global__ void sweep(const double* before, const float* source, double* after, int rows, int cols, bool sizes) {
    const int column = blockIdx.x * threads + threadIdx.x;
    const int row = blockIdx.y;
    const long long place = static_cast<long long>(row) * cols + column;
    if (column >= cols) {
        return;
    }
    if (row == 0 || row == rows - 1 || column == 0 || column == cols - 1) {
        after[place] = before[place];
        return;
    }
    const double added = sizes ? fabsf(source[place]) : source[place];
    after[place] = 0.25 * (before[place - cols] + before[place + cols] + before[place - 1] + before[place + 1] + added);
}

__global__ void narrow(const double* from, float* to, int cols) {
    const int column = blockIdx.x * threads + threadIdx.x;
    const long long place = static_cast<long long>(blockIdx.y) * cols + column;
    if (column < cols) {
        to[place] = static_cast<float>(from[place]);
    }
}

void run(const float* initial, const float* source, float* output, int rows, int cols, int sweeps, bool sizes) {
    const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(double);
    const dim3 grid((cols + threads - 1) / threads, rows);
    double* before = nullptr;
    double* after = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&before), bytes);
    cudaMalloc(reinterpret_cast<void**>(&after), bytes);
    widen<<<grid, threads>>>(initial, before, cols, sizes);
    for (int k = 0; k < sweeps; ++k) {
        sweep<<<grid, threads>>>(before, source, after, rows, cols, sizes);
        double* const free = before;
        before = after;
        after = free;
    }
    narrow<<<grid, threads>>>(before, output, cols);
    cudaFree(before);
    cudaFree(after);
}

} // namespace

extern "C" void solve(const float* initial, const float* source, float* output, int rows, int cols, int sweeps) {
    run(initial, source, output, rows, cols, sweeps, false);
}

// The same sweeps over absolute values.
extern "C" void magnitude(const float* initial, const float* source, float* output, int rows, int cols, int sweeps) {
    run(initial, source, output, rows, cols, sweeps, true);
}
