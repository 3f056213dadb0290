// One thread adds everything up.
__global__ void scan(const float* input, float* output, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += input[i];
        output[i] = (float)sum;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    scan<<<1, 1>>>(input, output, N);
}
