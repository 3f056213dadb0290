// One thread goes through all.
__global__ void encode(const int* input, int* values, int* lengths, int* count, int N) {
    int run = 0;
    int length = 0;
    for (int i = 0; i < N; ++i) {
        ++length;
        if (i == N - 1 || input[i] != input[i + 1]) {
            values[run] = input[i];
            lengths[run] = length;
            ++run;
            length = 0;
        }
    }
    *count = run;
    for (; run < N; ++run) {
        values[run] = 0;
        lengths[run] = 0;
    }
}

extern "C" void solve(const int* input, int* values, int* lengths, int* count, int N) {
    encode<<<1, 1>>>(input, values, lengths, count, N);
}
