// One thread a body, in sequence over all bodies.
__global__ void accelerate(const float* positions, const float* masses, float* accelerations, int N, float softening) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) {
        return;
    }
    const float x = positions[3 * i], y = positions[3 * i + 1], z = positions[3 * i + 2];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < N; ++j) {
        const float dx = positions[3 * j] - x, dy = positions[3 * j + 1] - y, dz = positions[3 * j + 2] - z;
        const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening * softening);
        const float strength = masses[j] * inverse * inverse * inverse;
        ax += strength * dx;
        ay += strength * dy;
        az += strength * dz;
    }
    accelerations[3 * i] = ax;
    accelerations[3 * i + 1] = ay;
    accelerations[3 * i + 2] = az;
}

extern "C" void solve(const float* positions, const float* masses, float* accelerations, int N, float softening) {
    accelerate<<<(N + 127) / 128, 128>>>(positions, masses, accelerations, N, softening);
}
