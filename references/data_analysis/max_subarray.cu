// Maximum subarray: stretches are described by four numbers, in 64 bits, and joined in their order.

namespace {

constexpr int threads = 256;
constexpr int share = 16; // consecutive values of a thread
constexpr int tile = threads * share;
constexpr long long none = -(1LL << 60); // no part: less than any sum

struct Stretch {
    long long sum;
    long long prefix; // largest sum of a non-empty part at the start
    long long suffix; // at the end
    long long best;   // anywhere
};

__device__ Stretch join(const Stretch& left, const Stretch& right) {
    return {left.sum + right.sum, max(left.prefix, left.sum + right.prefix), max(right.suffix, right.sum + left.suffix),
            max(max(left.best, right.best), left.suffix + right.prefix)};
}

// Joins the threads' stretches in order; the first thread has the result.
__device__ Stretch join_block(const Stretch& own) {
    __shared__ Stretch stretches[threads];
    stretches[threadIdx.x] = own;
    __syncthreads();
    for (int step = 1; step < threads; step *= 2) {
        if (threadIdx.x % (2 * step) == 0) {
            stretches[threadIdx.x] = join(stretches[threadIdx.x], stretches[threadIdx.x + step]);
        }
        __syncthreads();
    }
    return stretches[0];
}

__global__ void describe_tiles(const int* input, Stretch* tiles, int N) {
    Stretch own = {0, none, none, none};
    const long long first = static_cast<long long>(blockIdx.x) * tile + threadIdx.x * share;
    for (long long i = first; i < first + share && i < N; ++i) {
        const long long value = input[i];
        own = join(own, {value, value, value, value});
    }
    own = join_block(own);
    if (threadIdx.x == 0) {
        tiles[blockIdx.x] = own;
    }
}

// One block, each thread a consecutive part of the tiles.
__global__ void join_tiles(const Stretch* tiles, int count, int* output) {
    Stretch own = {0, none, none, none};
    const int part = (count + threads - 1) / threads;
    const int first = static_cast<int>(threadIdx.x) * part;
    for (int i = first; i < first + part && i < count; ++i) {
        own = join(own, tiles[i]);
    }
    own = join_block(own);
    if (threadIdx.x == 0) {
        output[0] = static_cast<int>(own.best);
    }
}

} // namespace

extern "C" void solve(const int* input, int* output, int N) {
    const int count = static_cast<int>((static_cast<long long>(N) + tile - 1) / tile);
    Stretch* tiles = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&tiles), count * sizeof(Stretch));
    describe_tiles<<<count, threads>>>(input, tiles, N);
    join_tiles<<<1, threads>>>(tiles, count, output);
    cudaFree(tiles);
}
