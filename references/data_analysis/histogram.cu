// Histogram of whole numbers: a private one for each block in shared memory, added to the common one.

namespace {

constexpr int threads = 128;
constexpr int blocks = 1056;

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    extern __shared__ int own[];
    for (int bin = threadIdx.x; bin < num_bins; bin += threads) {
        own[bin] = 0;
    }
    __syncthreads();
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < N; i += blocks * threads) {
        atomicAdd(&own[input[i]], 1);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < num_bins; bin += threads) {
        if (own[bin] != 0) {
            atomicAdd(&histogram[bin], own[bin]);
        }
    }
}

} // namespace

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    cudaMemset(histogram, 0, num_bins * sizeof(int));
    count<<<blocks, threads, num_bins * sizeof(int)>>>(input, histogram, N, num_bins);
}
