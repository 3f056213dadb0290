// One thread goes through all.
__global__ void add(const float* values, const unsigned char* heads, float* sums, int* count, int N) {
    int segment = 0;
    float sum = values[0];
    for (int i = 1; i < N; ++i) {
        if (heads[i] != 0) {
            sums[segment] = sum;
            ++segment;
            sum = 0;
        }
        sum += values[i];
    }
    sums[segment] = sum;
    *count = segment + 1;
    for (++segment; segment < N; ++segment) {
        sums[segment] = 0;
    }
}

extern "C" void solve(const float* values, const unsigned char* heads, float* sums, int* count, int N) {
    add<<<1, 1>>>(values, heads, sums, count, N);
}
