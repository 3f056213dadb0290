// y = A x for a sparse matrix A, sums in double precision; one warp a row.

namespace {

constexpr int lanes = 32;
constexpr int threads = 256;

struct Sum {
    static __device__ double of(double product) { return product; }
    static __device__ double finish(double sum, int) { return sum; }
};

// sqrt(n) ||products||
struct Norm {
    static __device__ double of(double product) { return product * product; }
    static __device__ double finish(double sum, int n) { return sqrt(sum * n); }
};

template <typename Map>
__global__ void add_up(const float* values, const int* columns, const int* row_offsets, const float* x, float* y,
                       int rows) {
    const long long row = (static_cast<long long>(blockIdx.x) * threads + threadIdx.x) / lanes;
    const int lane = threadIdx.x % lanes;
    if (row >= rows) {
        return;
    }
    const int begin = row_offsets[row];
    const int end = row_offsets[row + 1];
    double sum = 0;
    for (long long k = static_cast<long long>(begin) + lane; k < end; k += lanes) {
        sum += Map::of(static_cast<double>(values[k]) * x[columns[k]]);
    }
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
    }
    if (lane == 0) {
        y[row] = static_cast<float>(Map::finish(sum, end - begin));
    }
}

constexpr int rows_of_block = threads / lanes;

} // namespace

extern "C" void solve(const float* values, const int* columns, const int* row_offsets, const float* x, float* y,
                      int rows, int, int) {
    add_up<Sum><<<(rows - 1) / rows_of_block + 1, threads>>>(values, columns, row_offsets, x, y, rows);
}

extern "C" void magnitude(const float* values, const int* columns, const int* row_offsets, const float* x, float* y,
                          int rows, int, int) {
    add_up<Norm><<<(rows - 1) / rows_of_block + 1, threads>>>(values, columns, row_offsets, x, y, rows);
}
