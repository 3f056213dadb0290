// The scan of a block without the barriers that it needs: warps read what others have not written yet.
__global__ void scan(const float* input, float* output, int n) {
    __shared__ volatile float values[1024];
    int i = threadIdx.x;
    values[i] = i < n ? input[i] : 0.0f;
    for (int offset = 512; offset > 0; offset /= 2) {
        float other = i >= offset ? values[i - offset] : 0.0f;
        values[i] = values[i] + other;
    }
    if (i < n)
        output[i] = values[i];
}

extern "C" void solve(const float* input, float* output, int N) {
    scan<<<1, 1024>>>(input, output, N);
}
