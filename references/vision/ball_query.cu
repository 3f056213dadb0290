// Ball query; one thread a centre, which walks through its cloud.

namespace {

constexpr int threads = 128;

__global__ void query(const float* points, const float* centres, int* indices, int N, int M, int K,
                      float squared_radius) {
    const long long cloud = blockIdx.y;
    const int own = blockIdx.x * threads + threadIdx.x;
    if (own >= M) {
        return;
    }
    const float* const centre = centres + 3 * (cloud * M + own);
    const float x = centre[0];
    const float y = centre[1];
    const float z = centre[2];
    int* const chosen = indices + (cloud * M + own) * K;
    int found = 0;
    for (int i = 0; i < N && found < K; ++i) {
        const float* const point = points + 3 * (cloud * N + i);
        const float dx = point[0] - x;
        const float dy = point[1] - y;
        const float dz = point[2] - z;
        if (dx * dx + dy * dy + dz * dz < squared_radius) { // whole numbers: exact
            chosen[found] = i;
            ++found;
        }
    }
    const int first = found > 0 ? chosen[0] : -1;
    for (; found < K; ++found) {
        chosen[found] = first;
    }
}

} // namespace

extern "C" void solve(const float* points, const float* centres, int* indices, int B, int N, int M, int K,
                      float squared_radius) {
    query<<<dim3((M + threads - 1) / threads, B), threads>>>(points, centres, indices, N, M, K, squared_radius);
}
