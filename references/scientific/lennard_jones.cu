// Lennard-Jones forces of the particles at sites up to two away in each index, in double precision; one thread a
// particle.

namespace {

constexpr int threads = 128;
constexpr double spacing = 1.125;
constexpr double squared_cutoff = 6.25;
constexpr int reach = 2; // sites three apart are more than 3 sigma away

__device__ double coordinate(const float* displacements, long long particle, int axis, int index) {
    return spacing * index + displacements[3 * particle + axis] / 512.0;
}

// The force, or with `sizes` its magnitude. Blocks: along the last index, second, first.
__global__ void sum_forces(const float* displacements, float* forces, int side, bool sizes) {
    const int at[3] = {static_cast<int>(blockIdx.z), static_cast<int>(blockIdx.y),
                       static_cast<int>(blockIdx.x * threads + threadIdx.x)};
    if (at[2] >= side) {
        return;
    }
    const long long particle = (static_cast<long long>(at[0]) * side + at[1]) * side + at[2];
    double force[3] = {};
    for (int a = max(at[0] - reach, 0); a <= min(at[0] + reach, side - 1); ++a) {
        for (int b = max(at[1] - reach, 0); b <= min(at[1] + reach, side - 1); ++b) {
            for (int c = max(at[2] - reach, 0); c <= min(at[2] + reach, side - 1); ++c) {
                const long long other = (static_cast<long long>(a) * side + b) * side + c;
                const int place[3] = {a, b, c};
                double difference[3];
                double squared = 0;
                for (int axis = 0; axis < 3; ++axis) {
                    difference[axis] = coordinate(displacements, particle, axis, at[axis]) -
                                       coordinate(displacements, other, axis, place[axis]);
                    squared += difference[axis] * difference[axis];
                }
                if (other == particle || squared >= squared_cutoff) {
                    continue;
                }
                const double sixth = 1 / (squared * squared * squared);
                const double attraction = sizes ? -sixth : sixth;
                const double strength = 24 * (2 * sixth * sixth - attraction) / squared;
                for (int axis = 0; axis < 3; ++axis) {
                    force[axis] += strength * (sizes ? fabs(difference[axis]) : difference[axis]);
                }
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        forces[3 * particle + axis] = static_cast<float>(force[axis]);
    }
}

} // namespace

extern "C" void solve(const float* displacements, float* forces, int side) {
    sum_forces<<<dim3((side + threads - 1) / threads, side, side), threads>>>(displacements, forces, side, false);
}

// The sum over the pairs with all signs positive.
extern "C" void magnitude(const float* displacements, float* forces, int side) {
    sum_forces<<<dim3((side + threads - 1) / threads, side, side), threads>>>(displacements, forces, side, true);
}
