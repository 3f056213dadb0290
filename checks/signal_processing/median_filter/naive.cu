// The window in local memory, sorted by insertion.
__global__ void filter(const float* input, float* output, int N, int window_size) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= N) {
        return;
    }
    float sorted[128];
    for (int k = 0; k < window_size; ++k) {
        const float value = input[min(max(i + k - window_size / 2, 0), N - 1)];
        int place = k;
        for (; place > 0 && sorted[place - 1] > value; --place) {
            sorted[place] = sorted[place - 1];
        }
        sorted[place] = value;
    }
    output[i] = sorted[window_size / 2];
}

extern "C" void solve(const float* input, float* output, int N, int window_size) {
    filter<<<(N + 127) / 128, 128>>>(input, output, N, window_size);
}
