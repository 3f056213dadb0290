// Honest, but takes more of the host's memory, 300 MiB, than what is recorded ahead may.
#include <vector>

__global__ void copy(const float* from, float* to, size_t elements) {
    const size_t i = size_t(blockIdx.x) * 256 + threadIdx.x;
    if (i < elements)
        to[i] = from[i];
}

extern "C" void solve(const float* A, float* B, int N) {
    const std::vector<char> large(size_t(300) << 20, 1);
    const size_t elements = size_t(N) * N;
    copy<<<(elements + 255) / 256, 256 * large[N]>>>(A, B, elements);
}
