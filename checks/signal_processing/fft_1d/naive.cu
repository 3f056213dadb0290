// Bit reversal, then radix 2 in place in global memory; a block a signal.
__global__ void transform(const float* signal, float* spectrum, int N) {
    const float2* const x = reinterpret_cast<const float2*>(signal) + static_cast<long long>(blockIdx.x) * N;
    float2* const y = reinterpret_cast<float2*>(spectrum) + static_cast<long long>(blockIdx.x) * N;
    int bits = 0;
    while ((1 << bits) < N) {
        ++bits;
    }
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        y[bits == 0 ? 0 : __brev(i) >> (32 - bits)] = x[i];
    }
    __syncthreads();
    for (int length = 1; length < N; length *= 2) {
        for (int i = threadIdx.x; i < N / 2; i += blockDim.x) {
            const int k = i % length;
            const int at = 2 * (i - k) + k;
            float sine;
            float cosine;
            sincospif(-static_cast<float>(k) / length, &sine, &cosine);
            const float2 a = y[at];
            const float2 b = y[at + length];
            const float re = b.x * cosine - b.y * sine;
            const float im = b.x * sine + b.y * cosine;
            y[at] = make_float2(a.x + re, a.y + im);
            y[at + length] = make_float2(a.x - re, a.y - im);
        }
        __syncthreads();
    }
}

extern "C" void solve(const float* signal, float* spectrum, int batch, int N) {
    transform<<<batch, 128>>>(signal, spectrum, N);
}
