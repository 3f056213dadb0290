// Equal tiles of elements, however long rows are: a block multiplies its tile into shared memory, finds its rows by
// bisection of the offsets, and adds up each of them by a warp. Rows that reach beyond a tile are added atomically.

namespace {

constexpr int threads = 128;
constexpr int tile = 1024;

// How many of the row_offsets [1, rows] are at most `element`: the row that it lies in.
__device__ int row_of(const int* row_offsets, int rows, int element) {
    int least = 0;
    int most = rows;
    while (least < most) {
        const int middle = least + (most - least) / 2;
        if (row_offsets[middle + 1] <= element) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    return least;
}

__global__ void multiply(const float* __restrict__ values, const int* __restrict__ columns,
                         const int* __restrict__ row_offsets, const float* __restrict__ x, float* y, int rows,
                         int nnz) {
    __shared__ float products[tile];
    __shared__ int first_row;
    __shared__ int last_row;
    const int start = blockIdx.x * tile;
    const int count = min(tile, nnz - start);
    for (int i = threadIdx.x; i < count; i += threads) {
        products[i] = __ldcs(values + start + i) * __ldg(x + __ldcs(columns + start + i));
    }
    if (threadIdx.x == 0) {
        first_row = row_of(row_offsets, rows, start);
    } else if (threadIdx.x == 32) {
        last_row = row_of(row_offsets, rows, start + count - 1);
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    for (int row = first_row + threadIdx.x / 32; row <= last_row; row += threads / 32) {
        const int begin = row_offsets[row] - start;
        const int end = row_offsets[row + 1] - start;
        float sum = 0;
        for (int i = max(begin, 0) + lane; i < min(end, count); i += 32) {
            sum += products[i];
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
        }
        if (lane == 0 && begin >= 0 && end <= count) {
            y[row] = sum;
        } else if (lane == 0) {
            atomicAdd(y + row, sum);
        }
    }
}

} // namespace

extern "C" void solve(const float* values, const int* columns, const int* row_offsets, const float* x, float* y,
                      int rows, int cols, int nnz) {
    cudaMemsetAsync(y, 0, sizeof(float) * rows);
    multiply<<<(nnz - 1) / tile + 1, threads>>>(values, columns, row_offsets, x, y, rows, nnz);
}
