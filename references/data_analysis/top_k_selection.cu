// The k largest values: the k-th largest is found digit by digit, then all above it are collected and ranked.

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 528;
constexpr int digits = 256; // values of a digit of eight bits

// The upper bits of the k-th largest key as far as they are known, and how many keys are wanted of those that share
// them.
struct Search {
    unsigned int prefix;
    int wanted;
    int collected;
};

// Unsigned numbers in the order of the values.
__device__ unsigned int key_of(float value) {
    const unsigned int bits = __float_as_uint(value);
    return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

__device__ float value_of(unsigned int key) {
    return __uint_as_float((key & 0x80000000U) != 0 ? key & 0x7FFFFFFFU : ~key);
}

__global__ void start(Search* search, int k) {
    *search = {0, k, 0};
}

// Of the keys that agree with the prefix above the digit at `shift`.
__global__ void count_digits(const float* input, const Search* search, int* counts, int N, int shift) {
    __shared__ int own[digits];
    own[threadIdx.x] = 0;
    __syncthreads();
    const unsigned int above = shift == 24 ? 0 : 0xFFFFFFFFU << (shift + 8);
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < N; i += gridDim.x * threads) {
        const unsigned int key = key_of(input[i]);
        if ((key & above) == search->prefix) {
            atomicAdd(&own[(key >> shift) % digits], 1);
        }
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void choose_digit(const int* counts, Search* search, int shift) {
    int digit = digits - 1;
    while (search->wanted > counts[digit]) {
        search->wanted -= counts[digit];
        --digit;
    }
    search->prefix |= static_cast<unsigned int>(digit) << shift;
}

// In any order; there are fewer than k.
__global__ void collect_above(const float* input, Search* search, float* chosen, int N) {
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < N; i += gridDim.x * threads) {
        if (key_of(input[i]) > search->prefix) {
            chosen[atomicAdd(&search->collected, 1)] = input[i];
        }
    }
}

// Every value to the place of its rank; the rest are equal to the k-th.
__global__ void rank_chosen(const float* chosen, const Search* search, float* output, int k) {
    const int index = blockIdx.x * threads + threadIdx.x;
    const int collected = search->collected;
    if (index >= k) {
        return;
    }
    if (index >= collected) {
        output[index] = value_of(search->prefix);
        return;
    }
    int rank = 0;
    for (int other = 0; other < collected; ++other) {
        rank += chosen[other] > chosen[index] || (chosen[other] == chosen[index] && other < index);
    }
    output[rank] = chosen[index];
}

} // namespace

extern "C" void solve(const float* input, float* output, int N, int k) {
    const int blocks = N / threads < most_blocks ? N / threads + 1 : most_blocks;
    Search* search = nullptr;
    int* counts = nullptr;
    float* chosen = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&search), sizeof(Search));
    cudaMalloc(reinterpret_cast<void**>(&counts), digits * sizeof(int));
    cudaMalloc(reinterpret_cast<void**>(&chosen), k * sizeof(float));
    start<<<1, 1>>>(search, k);
    for (int shift = 24; shift >= 0; shift -= 8) {
        cudaMemset(counts, 0, digits * sizeof(int));
        count_digits<<<blocks, threads>>>(input, search, counts, N, shift);
        choose_digit<<<1, 1>>>(counts, search, shift);
    }
    collect_above<<<blocks, threads>>>(input, search, chosen, N);
    rank_chosen<<<(k + threads - 1) / threads, threads>>>(chosen, search, output, k);
    cudaFree(search);
    cudaFree(counts);
    cudaFree(chosen);
}
