// Accelerations by direct summation in double precision; one thread a body, the others pass through shared memory.

namespace {

constexpr int threads = 128;

struct Body {
    double x, y, z, mass;
};

// The acceleration, or with `sizes` its absolute value plus the root of the sum of the squared shares.
__global__ void accelerate(const float* positions, const float* masses, float* accelerations, int N, double softening,
                           bool sizes) {
    __shared__ Body tile[threads];
    const int body = blockIdx.x * threads + threadIdx.x;
    double place[3] = {};
    double sum[3] = {};
    double squares[3] = {};
    for (int axis = 0; body < N && axis < 3; ++axis) {
        place[axis] = positions[3LL * body + axis];
    }
    for (int first = 0; first < N; first += threads) {
        const int other = first + threadIdx.x;
        tile[threadIdx.x] = {0, 0, 0, 0};
        if (other < N) {
            tile[threadIdx.x] = {positions[3LL * other], positions[3LL * other + 1], positions[3LL * other + 2],
                                 masses[other]};
        }
        __syncthreads();
        for (int k = 0; k < threads; ++k) {
            const double away[3] = {tile[k].x - place[0], tile[k].y - place[1], tile[k].z - place[2]};
            const double squared = away[0] * away[0] + away[1] * away[1] + away[2] * away[2] + softening * softening;
            const double inverse = 1 / sqrt(squared);
            const double strength = tile[k].mass * inverse * inverse * inverse;
            for (int axis = 0; axis < 3; ++axis) {
                sum[axis] += strength * away[axis];
                if (sizes) {
                    squares[axis] += strength * away[axis] * strength * away[axis];
                }
            }
        }
        __syncthreads();
    }
    for (int axis = 0; body < N && axis < 3; ++axis) {
        accelerations[3LL * body + axis] =
            static_cast<float>(sizes ? fabs(sum[axis]) + sqrt(squares[axis]) : sum[axis]);
    }
}

} // namespace

extern "C" void solve(const float* positions, const float* masses, float* accelerations, int N, float softening) {
    accelerate<<<(N + threads - 1) / threads, threads>>>(positions, masses, accelerations, N, softening, false);
}

// |acceleration| plus the root of the sum of the squared shares of all bodies.
extern "C" void magnitude(const float* positions, const float* masses, float* accelerations, int N, float softening) {
    accelerate<<<(N + threads - 1) / threads, threads>>>(positions, masses, accelerations, N, softening, true);
}
