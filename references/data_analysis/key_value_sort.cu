// Radix sort of pairs, least significant digit first: eight stable passes of four bits. A pass counts the digits of
// each tile's keys, scans the counts in the order of digits and then of tiles, and moves the pairs.

namespace {

constexpr int digits = 16; // values of a digit of four bits
constexpr int bits = 4;
constexpr int threads = 256;
constexpr int share = 16; // consecutive keys of a thread
constexpr int tile = threads * share;
constexpr int scanners = 1024; // threads of the scan of the counts

__device__ int digit_of(unsigned int key, int shift) {
    return static_cast<int>((key >> shift) % digits);
}

// Every value becomes the sum of those before it. One block, each thread a consecutive part.
template <int block> __device__ void scan(unsigned int* values, int count) {
    __shared__ unsigned int sums[block];
    const int part = (count + block - 1) / block;
    const long long first = static_cast<long long>(threadIdx.x) * part;
    unsigned int own = 0;
    for (long long i = first; i < first + part && i < count; ++i) {
        own += values[i];
    }
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int distance = 1; distance < block; distance *= 2) {
        const unsigned int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    unsigned int before = sums[threadIdx.x] - own;
    for (long long i = first; i < first + part && i < count; ++i) {
        const unsigned int value = values[i];
        values[i] = before;
        before += value;
    }
    __syncthreads();
}

__global__ void scan_counts(unsigned int* counts, int count) {
    scan<scanners>(counts, count);
}

// counts[digit][tile]
__global__ void count_digits(const unsigned int* keys, unsigned int* counts, int N, int shift) {
    __shared__ unsigned int of_tile[digits];
    if (threadIdx.x < digits) {
        of_tile[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int item = threadIdx.x; item < tile; item += threads) {
        const long long index = static_cast<long long>(blockIdx.x) * tile + item;
        if (index < N) {
            atomicAdd(&of_tile[digit_of(keys[index], shift)], 1U);
        }
    }
    __syncthreads();
    if (threadIdx.x < digits) {
        counts[static_cast<long long>(threadIdx.x) * gridDim.x + blockIdx.x] = of_tile[threadIdx.x];
    }
}

struct Pairs {
    unsigned int* keys;
    unsigned int* values;
};

// starts[digit][tile]: where the tile's pairs of the digit begin in `to`.
__global__ void move_pairs(const unsigned int* keys, const unsigned int* values, const unsigned int* starts, Pairs to,
                           int N, int shift) {
    __shared__ unsigned int ranks[digits * threads]; // [digit][thread]: keys of the digit, then such keys before them
    __shared__ unsigned int first_of_digit[digits];
    unsigned int counts[digits] = {};
    const long long first = static_cast<long long>(blockIdx.x) * tile + threadIdx.x * share;
    for (long long i = first; i < first + share && i < N; ++i) {
        const int digit = digit_of(keys[i], shift);
        for (int d = 0; d < digits; ++d) { // the array stays in registers
            counts[d] += d == digit;
        }
    }
    for (int d = 0; d < digits; ++d) {
        ranks[d * threads + threadIdx.x] = counts[d];
    }
    __syncthreads();
    scan<threads>(ranks, digits * threads);
    if (threadIdx.x < digits) {
        first_of_digit[threadIdx.x] = ranks[threadIdx.x * threads];
    }
    __syncthreads();
    for (long long i = first; i < first + share && i < N; ++i) {
        const int digit = digit_of(keys[i], shift);
        const unsigned int rank = ranks[digit * threads + threadIdx.x]++ - first_of_digit[digit];
        const unsigned int place = starts[static_cast<long long>(digit) * gridDim.x + blockIdx.x] + rank;
        to.keys[place] = keys[i];
        to.values[place] = values[i];
    }
}

} // namespace

extern "C" void solve(const unsigned int* keys, const unsigned int* values, unsigned int* sorted_keys,
                      unsigned int* sorted_values, int N) {
    const int tiles = static_cast<int>((static_cast<long long>(N) + tile - 1) / tile);
    Pairs other = {};
    unsigned int* counts = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&other.keys), static_cast<size_t>(N) * sizeof(unsigned int));
    cudaMalloc(reinterpret_cast<void**>(&other.values), static_cast<size_t>(N) * sizeof(unsigned int));
    cudaMalloc(reinterpret_cast<void**>(&counts), static_cast<size_t>(digits) * tiles * sizeof(unsigned int));
    const unsigned int* from_keys = keys;
    const unsigned int* from_values = values;
    for (int shift = 0; shift < 32; shift += bits) {
        // The eighth and last pass writes the outputs.
        const Pairs to = shift / bits % 2 == 0 ? other : Pairs{sorted_keys, sorted_values};
        count_digits<<<tiles, threads>>>(from_keys, counts, N, shift);
        scan_counts<<<1, scanners>>>(counts, digits * tiles);
        move_pairs<<<tiles, threads>>>(from_keys, from_values, counts, to, N, shift);
        from_keys = to.keys;
        from_values = to.values;
    }
    cudaFree(other.keys);
    cudaFree(other.values);
    cudaFree(counts);
}
