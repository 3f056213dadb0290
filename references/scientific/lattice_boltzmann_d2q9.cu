// Collision and streaming (D2Q9, BGK) between two sets of grids in double precision; one thread a cell.

namespace {

constexpr int threads = 128;
constexpr int directions = 9;

__device__ int velocity_x(int q) {
    return q == 1 || q == 5 || q == 8 ? 1 : q == 3 || q == 6 || q == 7 ? -1 : 0;
}

__device__ int velocity_y(int q) {
    return q == 2 || q == 5 || q == 6 ? 1 : q == 4 || q == 7 || q == 8 ? -1 : 0;
}

__device__ double weight(int q) {
    return q == 0 ? 4.0 / 9 : q < 5 ? 1.0 / 9 : 1.0 / 36;
}

__global__ void widen(const float* from, double* to, long long elements) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index < elements) {
        to[index] = from[index];
    }
}

__global__ void step(const double* before, double* after, int height, int width, double omega) {
    const int x = blockIdx.x * threads + threadIdx.x;
    const int y = blockIdx.y;
    const long long cells = static_cast<long long>(height) * width;
    if (x >= width) {
        return;
    }
    double f[directions];
    double density = 0;
    double momentum_x = 0;
    double momentum_y = 0;
    for (int q = 0; q < directions; ++q) {
        f[q] = before[q * cells + static_cast<long long>(y) * width + x];
        density += f[q];
        momentum_x += velocity_x(q) * f[q];
        momentum_y += velocity_y(q) * f[q];
    }
    const double ux = momentum_x / density;
    const double uy = momentum_y / density;
    for (int q = 0; q < directions; ++q) {
        const double along = velocity_x(q) * ux + velocity_y(q) * uy;
        const double equilibrium =
            weight(q) * density * (1 + 3 * along + 4.5 * along * along - 1.5 * (ux * ux + uy * uy));
        const int to_x = (x + velocity_x(q) + width) % width;
        const int to_y = (y + velocity_y(q) + height) % height;
        after[q * cells + static_cast<long long>(to_y) * width + to_x] = f[q] + omega * (equilibrium - f[q]);
    }
}

// The populations, or with `sizes` the sum of the absolute values of the cell's.
__global__ void narrow(const double* from, float* to, long long cells, bool sizes) {
    const long long cell = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (cell >= cells) {
        return;
    }
    double sum = 0;
    for (int q = 0; q < directions; ++q) {
        sum += fabs(from[q * cells + cell]);
    }
    for (int q = 0; q < directions; ++q) {
        to[q * cells + cell] = static_cast<float>(sizes ? sum : from[q * cells + cell]);
    }
}

unsigned int blocks(long long items) {
    return static_cast<unsigned int>((items + threads - 1) / threads);
}

void run(const float* input, float* output, int height, int width, int steps, float omega, bool sizes) {
    const long long cells = static_cast<long long>(height) * width;
    double* before = nullptr;
    double* after = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&before), directions * cells * sizeof(double));
    cudaMalloc(reinterpret_cast<void**>(&after), directions * cells * sizeof(double));
    widen<<<blocks(directions * cells), threads>>>(input, before, directions * cells);
    for (int k = 0; k < steps; ++k) {
        step<<<dim3(blocks(width), height), threads>>>(before, after, height, width, omega);
        double* const free = before;
        before = after;
        after = free;
    }
    narrow<<<blocks(cells), threads>>>(before, output, cells, sizes);
    cudaFree(before);
    cudaFree(after);
}

} // namespace

extern "C" void solve(const float* input, float* output, int height, int width, int steps, float omega) {
    run(input, output, height, width, steps, omega, false);
}

// The sum of the absolute values of the cell's populations.
extern "C" void magnitude(const float* input, float* output, int height, int width, int steps, float omega) {
    run(input, output, height, width, steps, omega, true);
}
