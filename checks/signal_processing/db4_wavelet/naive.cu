__global__ void transform(const float* input, float* output, int N) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    const int pairs = (N + 1) / 2;
    if (i >= pairs) {
        return;
    }
    const float x0 = input[2 * i];
    const float x1 = input[min(2 * i + 1, N - 1)];
    const float x2 = input[min(2 * i + 2, N - 1)];
    const float x3 = input[min(2 * i + 3, N - 1)];
    output[i] = 0.482962913f * x0 + 0.836516304f * x1 + 0.224143868f * x2 - 0.129409523f * x3;
    output[pairs + i] = -0.129409523f * x0 - 0.224143868f * x1 + 0.836516304f * x2 - 0.482962913f * x3;
}

extern "C" void solve(const float* input, float* output, int N) {
    transform<<<(N + 255) / 256, 128>>>(input, output, N);
}
