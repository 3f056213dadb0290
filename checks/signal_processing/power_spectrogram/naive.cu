// The sums as they are defined, with a table of the circle; a block a frame.
__global__ void transform(const float* signal, const float* window, float* power, int frame_size, int hop) {
    extern __shared__ float shared[];
    float* const cosines = shared;
    float* const sines = shared + frame_size;
    float* const frame = shared + 2 * frame_size;
    for (int n = threadIdx.x; n < frame_size; n += blockDim.x) {
        sincospif(2.0f * n / frame_size, &sines[n], &cosines[n]);
        frame[n] = window[n] * signal[static_cast<long long>(blockIdx.x) * hop + n];
    }
    __syncthreads();
    for (int k = threadIdx.x; k <= frame_size / 2; k += blockDim.x) {
        float re = 0;
        float im = 0;
        for (int n = 0; n < frame_size; ++n) {
            re += frame[n] * cosines[k * n % frame_size];
            im -= frame[n] * sines[k * n % frame_size];
        }
        power[static_cast<long long>(blockIdx.x) * (frame_size / 2 + 1) + k] = re * re + im * im;
    }
}

extern "C" void solve(const float* signal, const float* window, float* power, int frames, int frame_size, int hop) {
    transform<<<frames, 64, 3 * frame_size * sizeof(float)>>>(signal, window, power, frame_size, hop);
}
