// Hits of random points of the four-dimensional unit cube in balls; one block an integral, whole numbers throughout.

namespace {

constexpr int threads = 256;

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3).
__device__ uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned long long left = 0xD2511F53ULL * counter.x;
        const unsigned long long right = 0xCD9E8D57ULL * counter.z;
        counter =
            make_uint4(static_cast<unsigned int>(right >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(right),
                       static_cast<unsigned int>(left >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(left));
        key.x += 0x9E3779B9U;
        key.y += 0xBB67AE85U;
    }
    return counter;
}

// Of two coordinates below 2^31.
__device__ unsigned long long square_of_difference(unsigned int a, unsigned int b) {
    const long long difference = static_cast<long long>(a) - static_cast<long long>(b);
    return static_cast<unsigned long long>(difference * difference);
}

__global__ void count_hits(const unsigned int* centres, const unsigned int* radii, const unsigned int* key,
                           unsigned int* hits, int samples) {
    __shared__ unsigned int partial[threads];
    const unsigned int integral = blockIdx.x;
    const unsigned int* centre = centres + 4LL * integral;
    const unsigned long long radius = radii[integral];
    unsigned int count = 0;
    for (unsigned int sample = threadIdx.x; sample < static_cast<unsigned int>(samples); sample += threads) {
        const uint4 words = philox(make_uint4(sample, 0, integral, 0), make_uint2(key[0], key[1]));
        const unsigned long long distance =
            square_of_difference(words.x >> 1, centre[0]) + square_of_difference(words.y >> 1, centre[1]) +
            square_of_difference(words.z >> 1, centre[2]) + square_of_difference(words.w >> 1, centre[3]);
        count += distance <= radius * radius;
    }
    partial[threadIdx.x] = count;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        hits[integral] = partial[0];
    }
}

} // namespace

extern "C" void solve(const unsigned int* centres, const unsigned int* radii, const unsigned int* key,
                      unsigned int* hits, int integrals, int samples) {
    count_hits<<<integrals, threads>>>(centres, radii, key, hits, samples);
}
