// Host code that reads through a null pointer.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    volatile int* nowhere = nullptr;
    cudaMemset(output, *nowhere, sizeof(float) * rows * cols);
}
