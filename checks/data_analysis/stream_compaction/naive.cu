// One warp goes through all, 32 values at a time.
__global__ void compact(const float* input, float* output, int* count, int N) {
    int kept = 0;
    for (int first = 0; first < N; first += 32) {
        const int i = first + threadIdx.x;
        const float value = i < N ? input[i] : 0.0f;
        const unsigned int lanes = __ballot_sync(0xFFFFFFFFU, value > 0);
        if (value > 0) {
            output[kept + __popc(lanes & ((1U << threadIdx.x) - 1))] = value;
        }
        kept += __popc(lanes);
    }
    for (int i = kept + threadIdx.x; i < N; i += 32) {
        output[i] = 0;
    }
    if (threadIdx.x == 0) {
        *count = kept;
    }
}

extern "C" void solve(const float* input, float* output, int* count, int N) {
    compact<<<1, 32>>>(input, output, count, N);
}
