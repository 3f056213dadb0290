// beta = (X'X)^-1 X'y in double precision: products of pairs of columns of (X, y), then Gauss-Jordan elimination.

namespace {

constexpr int most_columns = 33; // features and observation
constexpr int most_pairs = most_columns * (most_columns + 1) / 2;
constexpr int threads = 256;
constexpr int pairs_of_thread = (most_pairs + threads - 1) / threads;
constexpr int chunk = 64; // samples at a time
constexpr int most_blocks = 512;

// Pair number i (i + 1) / 2 + j stands for the columns i >= j.
__device__ int2 columns_of(int pair) {
    int i = 0;
    while ((i + 1) * (i + 2) / 2 <= pair) {
        ++i;
    }
    return {i, pair - i * (i + 1) / 2};
}

// sums[block][pair] is the sum of the products over the block's samples, squares[block][pair] that of their squares.
__global__ void products(const float* X, const float* y, double* sums, double* squares, int samples, int features) {
    __shared__ double values[chunk][most_columns];
    const int columns = features + 1;
    const int pairs = columns * (columns + 1) / 2;
    double sum[pairs_of_thread] = {};
    double square[pairs_of_thread] = {};
    for (long long first = static_cast<long long>(blockIdx.x) * chunk; first < samples; first += gridDim.x * chunk) {
        for (int item = threadIdx.x; item < chunk * columns; item += threads) {
            const long long sample = first + item / columns;
            const int column = item % columns;
            values[item / columns][column] = sample >= samples    ? 0.0f
                                             : column == features ? y[sample]
                                                                  : X[sample * features + column];
        }
        __syncthreads();
        for (int turn = 0; turn < pairs_of_thread; ++turn) {
            const int pair = threadIdx.x + turn * threads;
            if (pair < pairs) {
                const int2 column = columns_of(pair);
                for (int s = 0; s < chunk; ++s) {
                    const double product = values[s][column.x] * values[s][column.y];
                    sum[turn] += product;
                    square[turn] += product * product;
                }
            }
        }
        __syncthreads();
    }
    for (int turn = 0; turn < pairs_of_thread; ++turn) {
        const int pair = threadIdx.x + turn * threads;
        if (pair < pairs) {
            sums[blockIdx.x * most_pairs + pair] = sum[turn];
            squares[blockIdx.x * most_pairs + pair] = square[turn];
        }
    }
}

__device__ double of_pair(const double* values, int i, int j) {
    return i >= j ? values[i * (i + 1) / 2 + j] : values[j * (j + 1) / 2 + i];
}

// One block. Inverts X'X, then writes beta or with `sizes` its magnitude.
__global__ void finish(const double* sums, const double* squares, float* beta, int blocks, int features, bool sizes) {
    __shared__ double sum[most_pairs];
    __shared__ double spread[most_pairs]; // |sum| plus the root of the sum of squares
    __shared__ double matrix[most_columns - 1][most_columns - 1];
    __shared__ double inverse[most_columns - 1][most_columns - 1];
    __shared__ double solution[most_columns - 1];
    const int pairs = (features + 1) * (features + 2) / 2;
    for (int pair = threadIdx.x; pair < pairs; pair += threads) {
        double total = 0;
        double total_of_squares = 0;
        for (int block = 0; block < blocks; ++block) {
            total += sums[block * most_pairs + pair];
            total_of_squares += squares[block * most_pairs + pair];
        }
        sum[pair] = total;
        spread[pair] = fabs(total) + sqrt(total_of_squares);
    }
    __syncthreads();
    for (int item = threadIdx.x; item < features * features; item += threads) {
        const int i = item / features;
        const int j = item % features;
        matrix[i][j] = of_pair(sum, i, j);
        inverse[i][j] = i == j ? 1 : 0;
    }
    __syncthreads();
    // Gauss-Jordan without pivots, which a positive definite matrix does not need; one thread a row.
    const int row = threadIdx.x;
    for (int pivot = 0; pivot < features; ++pivot) {
        if (row < features && row != pivot) {
            const double factor = matrix[row][pivot] / matrix[pivot][pivot];
            for (int j = 0; j < features; ++j) {
                matrix[row][j] -= factor * matrix[pivot][j];
                inverse[row][j] -= factor * inverse[pivot][j];
            }
        }
        __syncthreads();
    }
    if (row < features) {
        solution[row] = 0;
        for (int j = 0; j < features; ++j) {
            inverse[row][j] /= matrix[row][row];
            solution[row] += inverse[row][j] * of_pair(sum, features, j);
        }
    }
    __syncthreads();
    if (row < features) {
        double size = 0;
        for (int i = 0; i < features; ++i) {
            double error = of_pair(spread, features, i);
            for (int j = 0; j < features; ++j) {
                error += of_pair(spread, i, j) * fabs(solution[j]);
            }
            size += fabs(inverse[row][i]) * error;
        }
        beta[row] = static_cast<float>(sizes ? size : solution[row]);
    }
}

void run(const float* X, const float* y, float* beta, int samples, int features, bool sizes) {
    const int needed = (samples + 4 * chunk - 1) / (4 * chunk);
    const int blocks = needed < most_blocks ? needed : most_blocks;
    double* sums = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), 2 * most_blocks * most_pairs * sizeof(double));
    double* const squares = sums + most_blocks * most_pairs;
    products<<<blocks, threads>>>(X, y, sums, squares, samples, features);
    finish<<<1, threads>>>(sums, squares, beta, blocks, features, sizes);
    cudaFree(sums);
}

} // namespace

extern "C" void solve(const float* X, const float* y, float* beta, int n_samples, int n_features) {
    run(X, y, beta, n_samples, n_features, false);
}

// |G^-1| (dc + dG |beta|): how far errors of the sums in G = X'X and c = X'y reach.
extern "C" void magnitude(const float* X, const float* y, float* beta, int n_samples, int n_features) {
    run(X, y, beta, n_samples, n_features, true);
}
