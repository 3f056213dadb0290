// A fixed number of blocks an integral, each thread with many samples; hits are counted by votes of a warp, the rounds
// are unrolled with 64-bit products.

namespace {

constexpr int threads = 128;
constexpr int most_blocks = 64; // an integral

__global__ void count(const unsigned int* __restrict__ centres, const unsigned int* __restrict__ radii,
                      const unsigned int* __restrict__ key, unsigned int* hits, unsigned int samples) {
    const unsigned int j = blockIdx.y;
    const unsigned long long radius = radii[j];
    const unsigned long long most = radius * radius;
    long long centre[4];
    for (int d = 0; d < 4; ++d) {
        centre[d] = centres[4 * j + d];
    }
    unsigned int found = 0; // of the warp
    for (unsigned long long start = blockIdx.x * threads; start < samples; start += gridDim.x * threads) {
        const unsigned long long n = start + threadIdx.x;
        unsigned int c0 = static_cast<unsigned int>(n);
        unsigned int c1 = 0;
        unsigned int c2 = j;
        unsigned int c3 = 0;
        unsigned int k0 = key[0];
        unsigned int k1 = key[1];
#pragma unroll
        for (int round = 0; round < 10; ++round) {
            const unsigned long long first = 0xD2511F53ULL * c0;
            const unsigned long long second = 0xCD9E8D57ULL * c2;
            c0 = static_cast<unsigned int>(second >> 32) ^ c1 ^ k0;
            c1 = static_cast<unsigned int>(second);
            c2 = static_cast<unsigned int>(first >> 32) ^ c3 ^ k1;
            c3 = static_cast<unsigned int>(first);
            k0 += 0x9E3779B9U;
            k1 += 0xBB67AE85U;
        }
        const unsigned int words[4] = {c0, c1, c2, c3};
        unsigned long long distance = 0;
#pragma unroll
        for (int d = 0; d < 4; ++d) {
            const long long difference = static_cast<long long>(words[d] >> 1) - centre[d];
            distance += static_cast<unsigned long long>(difference * difference);
        }
        found += __popc(__ballot_sync(0xFFFFFFFF, n < samples && distance <= most));
    }
    __shared__ unsigned int of_warp[threads / 32];
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = found;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned int sum = 0;
        for (const unsigned int value : of_warp) {
            sum += value;
        }
        atomicAdd(hits + j, sum);
    }
}

} // namespace

extern "C" void solve(const unsigned int* centres, const unsigned int* radii, const unsigned int* key,
                      unsigned int* hits, int integrals, int samples) {
    const int needed = (samples - 1) / threads + 1;
    const int blocks = needed < most_blocks ? needed : most_blocks;
    cudaMemsetAsync(hits, 0, integrals * sizeof(unsigned int));
    count<<<dim3(blocks, integrals), threads>>>(centres, radii, key, hits, samples);
}
