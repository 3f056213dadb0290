// One thread a cell, which pulls the populations of the neighbours after a collision in a launch of its own.
__device__ const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__device__ const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__device__ const float w[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                               1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

__global__ void collide(const float* f, float* g, long long cells, float omega) {
    const long long cell = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (cell >= cells) {
        return;
    }
    float rho = 0, jx = 0, jy = 0;
    for (int q = 0; q < 9; ++q) {
        const float value = f[q * cells + cell];
        rho += value;
        jx += cx[q] * value;
        jy += cy[q] * value;
    }
    const float inverse = 1 / rho;
    const float ux = jx * inverse, uy = jy * inverse;
    for (int q = 0; q < 9; ++q) {
        const float c = cx[q] * ux + cy[q] * uy;
        const float e = w[q] * (rho + 3 * rho * c + rho * (4.5f * c * c - 1.5f * (ux * ux + uy * uy)));
        g[q * cells + cell] = (1 - omega) * f[q * cells + cell] + omega * e;
    }
}

__global__ void stream(const float* g, float* f, int height, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    if (x >= width) {
        return;
    }
    const long long cells = static_cast<long long>(height) * width;
    for (int q = 0; q < 9; ++q) {
        const int from_x = (x - cx[q] + width) % width;
        const int from_y = (y - cy[q] + height) % height;
        f[q * cells + static_cast<long long>(y) * width + x] =
            g[q * cells + static_cast<long long>(from_y) * width + from_x];
    }
}

extern "C" void solve(const float* input, float* output, int height, int width, int steps, float omega) {
    const long long cells = static_cast<long long>(height) * width;
    float* collided;
    cudaMalloc(&collided, 9 * cells * sizeof(float));
    for (int k = 0; k < steps; ++k) {
        collide<<<static_cast<int>((cells + 127) / 128), 128>>>(k == 0 ? input : output, collided, cells, omega);
        stream<<<dim3((width + 127) / 128, height), 128>>>(collided, output, height, width);
    }
    cudaFree(collided);
}
