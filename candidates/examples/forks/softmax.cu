// Host code that starts a second process.
#include <unistd.h>

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    if (fork() == 0)
        _exit(0);
    cudaMemset(output, 0, sizeof(float) * rows * cols);
}
