// A kernel that waits for something that never happens.
__global__ void wait_for_change(const volatile float* input) {
    float first = input[0];
    while (input[0] == first) {
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    wait_for_change<<<1, 1>>>(input);
}
