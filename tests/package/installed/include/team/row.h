#pragma once

/// Where column `column` of a row of `cols` goes.
__host__ __device__ inline int mirrored(int column, int cols) {
    return cols - 1 - column;
}
