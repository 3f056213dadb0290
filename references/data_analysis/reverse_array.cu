// Reversal of an array; one thread a value.

namespace {

__global__ void reverse(const float* input, float* output, int N) {
    const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (index < N) {
        output[index] = input[N - 1 - index];
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int N) {
    constexpr int threads = 256;
    const int blocks = static_cast<int>((static_cast<long long>(N) + threads - 1) / threads);
    reverse<<<blocks, threads>>>(input, output, N);
}
