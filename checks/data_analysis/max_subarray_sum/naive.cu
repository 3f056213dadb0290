__global__ void start(int* output) {
    *output = -2147483647 - 1;
}

__global__ void compare(const int* input, int* output, int N, int window_size) {
    const int first = blockIdx.x * 128 + threadIdx.x;
    if (first > N - window_size) {
        return;
    }
    int sum = 0;
    for (int i = 0; i < window_size; ++i) {
        sum += input[first + i];
    }
    atomicMax(output, sum);
}

extern "C" void solve(const int* input, int* output, int N, int window_size) {
    start<<<1, 1>>>(output);
    compare<<<(N - window_size) / 128 + 1, 128>>>(input, output, N, window_size);
}
