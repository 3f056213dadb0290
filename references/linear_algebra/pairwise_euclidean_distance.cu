// Distances of all rows of X to all rows of Y, from differences, in double precision.

namespace {

constexpr int tile = 64;  // points of either set in a block
constexpr int slice = 16; // coordinates at a time
constexpr int patch = 4;  // points of either set in a thread
constexpr int threads = tile / patch;

// Coordinates `first` to `first + slice - 1` of the points from `first_point` on; zero beyond the end of either.
__device__ void load(double (*points)[tile + 1], const float* from, int first_point, int count, int first, int D) {
    for (int item = threadIdx.y * threads + threadIdx.x; item < tile * slice; item += threads * threads) {
        const int point = first_point + item / slice;
        const int coordinate = first + item % slice;
        points[item % slice][item / slice] =
            point < count && coordinate < D ? from[static_cast<long long>(point) * D + coordinate] : 0.0f;
    }
}

// The distance d, or with `sizes` (||x||^2 + ||y||^2) / d. A thread's points of Y lie `threads` apart, so that stores
// coalesce.
__global__ void measure(const float* X, const float* Y, float* distances, int M, int N, int D, bool sizes) {
    __shared__ double left[slice][tile + 1];
    __shared__ double right[slice][tile + 1];
    double squares[patch][patch] = {};
    double norms[patch][patch] = {};
    for (int first = 0; first < D; first += slice) {
        load(left, X, blockIdx.y * tile, M, first, D);
        load(right, Y, blockIdx.x * tile, N, first, D);
        __syncthreads();
        for (int d = 0; d < slice; ++d) {
            for (int i = 0; i < patch; ++i) {
                for (int j = 0; j < patch; ++j) {
                    const double x = left[d][threadIdx.y + i * threads];
                    const double y = right[d][threadIdx.x + j * threads];
                    squares[i][j] += (x - y) * (x - y);
                    if (sizes) {
                        norms[i][j] += x * x + y * y;
                    }
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < patch; ++i) {
        for (int j = 0; j < patch; ++j) {
            const int row = blockIdx.y * tile + threadIdx.y + i * threads;
            const int column = blockIdx.x * tile + threadIdx.x + j * threads;
            if (row < M && column < N) {
                const double distance = sqrt(squares[i][j]);
                distances[static_cast<long long>(row) * N + column] =
                    static_cast<float>(!sizes          ? distance
                                       : distance == 0 ? 0
                                                       : norms[i][j] / distance);
            }
        }
    }
}

void run(const float* X, const float* Y, float* distances, int M, int N, int D, bool sizes) {
    const dim3 grid((N + tile - 1) / tile, (M + tile - 1) / tile);
    measure<<<grid, dim3(threads, threads)>>>(X, Y, distances, M, N, D, sizes);
}

} // namespace

extern "C" void solve(const float* X, const float* Y, float* distances, int M, int N, int D) {
    run(X, Y, distances, M, N, D, false);
}

// (||x||^2 + ||y||^2) / distance; 0 where points coincide.
extern "C" void magnitude(const float* X, const float* Y, float* distances, int M, int N, int D) {
    run(X, Y, distances, M, N, D, true);
}
