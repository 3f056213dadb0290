// One thread a particle, over the sites near its own, in single precision.
__global__ void sum_forces(const float* displacements, float* forces, int side) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y, a = blockIdx.z;
    if (c >= side) {
        return;
    }
    const long long own = 3 * ((static_cast<long long>(a) * side + b) * side + c);
    float fx = 0, fy = 0, fz = 0;
    for (int i = -2; i <= 2; ++i) {
        for (int j = -2; j <= 2; ++j) {
            for (int k = -2; k <= 2; ++k) {
                const bool exists =
                    a + i >= 0 && a + i < side && b + j >= 0 && b + j < side && c + k >= 0 && c + k < side;
                if (!exists || (i == 0 && j == 0 && k == 0)) {
                    continue;
                }
                const long long other = own + 3 * ((static_cast<long long>(i) * side + j) * side + k);
                const float dx = -1.125f * i + (displacements[own] - displacements[other]) / 512;
                const float dy = -1.125f * j + (displacements[own + 1] - displacements[other + 1]) / 512;
                const float dz = -1.125f * k + (displacements[own + 2] - displacements[other + 2]) / 512;
                const float squared = dx * dx + dy * dy + dz * dz;
                if (squared < 6.25f) {
                    const float inverse = 1 / squared;
                    const float sixth = inverse * inverse * inverse;
                    const float strength = (48 * sixth - 24) * sixth * inverse;
                    fx += strength * dx;
                    fy += strength * dy;
                    fz += strength * dz;
                }
            }
        }
    }
    forces[own] = fx;
    forces[own + 1] = fy;
    forces[own + 2] = fz;
}

extern "C" void solve(const float* displacements, float* forces, int side) {
    sum_forces<<<dim3((side + 63) / 64, side, side), 64>>>(displacements, forces, side);
}
