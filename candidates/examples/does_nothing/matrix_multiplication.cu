// Leaves the output as it finds it.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {}
