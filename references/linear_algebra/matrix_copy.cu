// B = A, one thread an element.

namespace {

constexpr int threads = 256;

__global__ void copy(const float* A, float* B, long long elements) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index < elements) {
        B[index] = A[index];
    }
}

} // namespace

extern "C" void solve(const float* A, float* B, int N) {
    const long long elements = static_cast<long long>(N) * N;
    copy<<<static_cast<unsigned int>((elements + threads - 1) / threads), threads>>>(A, B, elements);
}
