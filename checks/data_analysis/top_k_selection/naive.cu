// Every value by its rank: for small arrays only.
__global__ void rank_values(const float* input, float* output, int N, int k) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= N) {
        return;
    }
    int rank = 0;
    for (int j = 0; j < N && rank < k; ++j) {
        rank += input[j] > input[i] || (input[j] == input[i] && j < i);
    }
    if (rank < k) {
        output[rank] = input[i];
    }
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    rank_values<<<(N + 127) / 128, 128>>>(input, output, N, k);
}
