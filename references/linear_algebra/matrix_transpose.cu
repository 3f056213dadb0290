// output[j][i] = input[i][j]; one block a tile, which turns in shared memory.

namespace {

constexpr int tile = 32;

// Threads of a block: tile x tile.
__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float values[tile][tile + 1];
    const int first_row = blockIdx.y * tile;
    const int first_column = blockIdx.x * tile;
    if (first_row + threadIdx.y < rows && first_column + threadIdx.x < cols) {
        values[threadIdx.y][threadIdx.x] =
            input[static_cast<long long>(first_row + threadIdx.y) * cols + first_column + threadIdx.x];
    }
    __syncthreads();
    if (first_column + threadIdx.y < cols && first_row + threadIdx.x < rows) {
        output[static_cast<long long>(first_column + threadIdx.y) * rows + first_row + threadIdx.x] =
            values[threadIdx.x][threadIdx.y];
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
    transpose<<<grid, dim3(tile, tile)>>>(input, output, rows, cols);
}
