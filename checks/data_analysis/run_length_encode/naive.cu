// One thread goes through all.
__global__ void encode(const int* input, int* values, int* lengths, int* count, int N) {
    int run = -1;
    for (int i = 0; i < N; ++i) {
        if (i == 0 || input[i] != input[i - 1]) {
            ++run;
            values[run] = input[i];
            lengths[run] = 0;
        }
        ++lengths[run];
    }
    *count = run + 1;
    for (++run; run < N; ++run) {
        values[run] = 0;
        lengths[run] = 0;
    }
}

extern "C" void solve(const int* input, int* values, int* lengths, int* count, int N) {
    encode<<<1, 1>>>(input, values, lengths, count, N);
}
