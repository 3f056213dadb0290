__global__ void reverse(const float* input, float* output, int N) {
    for (int i = blockIdx.x * 128 + threadIdx.x; i < N; i += gridDim.x * 128) {
        output[N - 1 - i] = input[i];
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    reverse<<<16, 128>>>(input, output, N);
}
