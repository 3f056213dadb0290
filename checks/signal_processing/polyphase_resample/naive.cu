// From the tap's side.
__global__ void resample(const float* input, const float* taps, float* output, long long outputs, int N, int num_taps,
                         int up, int down) {
    const long long m = static_cast<long long>(blockIdx.x) * 128 + threadIdx.x;
    if (m >= outputs) {
        return;
    }
    float sum = 0;
    for (long long tap = m * down % up; tap < num_taps; tap += up) {
        const long long n = (m * down - tap) / up;
        if (m * down >= tap && n < N) {
            sum += taps[tap] * input[n];
        }
    }
    output[m] = sum;
}

extern "C" void solve(const float* input, const float* taps, float* output, int N, int num_taps, int up, int down) {
    const long long outputs = (static_cast<long long>(N) * up + down - 1) / down;
    resample<<<static_cast<int>((outputs + 127) / 128), 128>>>(input, taps, output, outputs, N, num_taps, up, down);
}
