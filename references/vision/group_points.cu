// Gathering of features by groups of points; one thread an output.

namespace {

constexpr int threads = 256;

__global__ void gather(const float* features, const int* indices, float* grouped, int C, int N, long long places,
                       long long outputs) {
    const long long output = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (output < outputs) {
        const long long row = output / places; // cloud and feature
        const long long cloud = row / C;
        grouped[output] = features[row * N + indices[cloud * places + output % places]];
    }
}

} // namespace

extern "C" void solve(const float* features, const int* indices, float* grouped, int B, int C, int N, int M, int K) {
    const long long places = static_cast<long long>(M) * K;
    const long long outputs = B * C * places;
    const int blocks = static_cast<int>((outputs + threads - 1) / threads);
    gather<<<blocks, threads>>>(features, indices, grouped, C, N, places, outputs);
}
