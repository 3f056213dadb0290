__global__ void count(const int* input, int* histogram, int N) {
    const long long i = static_cast<long long>(blockIdx.x) * 256 + threadIdx.x;
    if (i < N) {
        atomicAdd(&histogram[input[i]], 1);
    }
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    cudaMemset(histogram, 0, num_bins * sizeof(int));
    count<<<(N + 255LL) / 256, 256>>>(input, histogram, N);
}
