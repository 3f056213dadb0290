// output = input^P, one factor after the other, all in double precision.

namespace {

constexpr int tile = 64;  // rows and columns of the product that a block computes
constexpr int slice = 16; // step along the inner dimension
constexpr int patch = 4;  // rows and columns of the product that a thread computes
constexpr int threads = tile / patch;
constexpr int wide = 256; // threads of a block where each takes an element

unsigned int blocks(long long elements) {
    return static_cast<unsigned int>((elements + wide - 1) / wide);
}

// product = left right. Threads of a block: threads x threads.
__global__ void multiply(const double* left, const float* right, double* product, int N) {
    __shared__ double lefts[slice][tile + 1];
    __shared__ double rights[slice][tile];
    const int first_row = blockIdx.y * tile;
    const int first_column = blockIdx.x * tile;
    const int thread = threadIdx.y * threads + threadIdx.x;
    double sum[patch][patch] = {};
    for (int first = 0; first < N; first += slice) {
        for (int item = thread; item < tile * slice; item += threads * threads) {
            const int row = first_row + item / slice;
            const int inner = first + item % slice;
            lefts[item % slice][item / slice] =
                row < N && inner < N ? left[static_cast<long long>(row) * N + inner] : 0;
        }
        for (int item = thread; item < slice * tile; item += threads * threads) {
            const int inner = first + item / tile;
            const int column = first_column + item % tile;
            rights[item / tile][item % tile] =
                inner < N && column < N ? right[static_cast<long long>(inner) * N + column] : 0;
        }
        __syncthreads();
        for (int inner = 0; inner < slice; ++inner) {
            for (int i = 0; i < patch; ++i) {
                for (int j = 0; j < patch; ++j) {
                    sum[i][j] += lefts[inner][threadIdx.y + i * threads] * rights[inner][threadIdx.x + j * threads];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < patch; ++i) {
        for (int j = 0; j < patch; ++j) {
            const int row = first_row + threadIdx.y + i * threads;
            const int column = first_column + threadIdx.x + j * threads;
            if (row < N && column < N) {
                product[static_cast<long long>(row) * N + column] = sum[i][j];
            }
        }
    }
}

__global__ void widen(const float* from, double* to, long long elements) {
    const long long index = static_cast<long long>(blockIdx.x) * wide + threadIdx.x;
    if (index < elements) {
        to[index] = from[index];
    }
}

__global__ void narrow(const double* from, float* to, long long elements) {
    const long long index = static_cast<long long>(blockIdx.x) * wide + threadIdx.x;
    if (index < elements) {
        to[index] = static_cast<float>(from[index]);
    }
}

// norm[0] is the root of the sum of the squares; one block.
__global__ void frobenius(const double* matrix, double* norm, long long elements) {
    __shared__ double partial[wide];
    double sum = 0;
    for (long long index = threadIdx.x; index < elements; index += wide) {
        sum += matrix[index] * matrix[index];
    }
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = wide / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        norm[0] = sqrt(partial[0]);
    }
}

// norms[k - 1] is that of A^k, for k = 1 to P.
__global__ void largest_product(const double* norms, float* output, int N, int P) {
    const long long index = static_cast<long long>(blockIdx.x) * wide + threadIdx.x;
    double largest = P == 1 ? norms[0] * sqrt(static_cast<double>(N)) : 0;
    for (int k = 1; k < P; ++k) {
        largest = fmax(largest, norms[k - 1] * norms[P - k - 1]);
    }
    if (index < static_cast<long long>(N) * N) {
        output[index] = static_cast<float>(largest / (N * sqrt(static_cast<double>(N))));
    }
}

void run(const float* input, float* output, int N, int P, bool sizes) {
    const long long elements = static_cast<long long>(N) * N;
    double* power = nullptr;
    double* next = nullptr;
    double* norms = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&power), elements * sizeof(double));
    cudaMalloc(reinterpret_cast<void**>(&next), elements * sizeof(double));
    cudaMalloc(reinterpret_cast<void**>(&norms), P * sizeof(double));
    widen<<<blocks(elements), wide>>>(input, power, elements);
    for (int k = 1; k <= P; ++k) {
        if (sizes) {
            frobenius<<<1, wide>>>(power, norms + k - 1, elements);
        }
        if (k < P) {
            const int tiles = (N + tile - 1) / tile;
            multiply<<<dim3(tiles, tiles), dim3(threads, threads)>>>(power, input, next, N);
            double* const free = power;
            power = next;
            next = free;
        }
    }
    if (sizes) {
        largest_product<<<blocks(elements), wide>>>(norms, output, N, P);
    } else {
        narrow<<<blocks(elements), wide>>>(power, output, elements);
    }
    cudaFree(power);
    cudaFree(next);
    cudaFree(norms);
}

} // namespace

extern "C" void solve(const float* input, float* output, int N, int P) {
    run(input, output, N, P, false);
}

// How large elements of a product of two powers of a random matrix are, for the largest of the products that make A^P.
extern "C" void magnitude(const float* input, float* output, int N, int P) {
    run(input, output, N, P, true);
}
