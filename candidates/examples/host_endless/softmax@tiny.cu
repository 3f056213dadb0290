// Host code that never returns.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    volatile bool waiting = true;
    while (waiting) {
    }
}
