// Power spectrogram; one block a frame: a transform of radix 2 in shared memory, in double precision.

namespace {

constexpr int threads = 128;

struct Complex {
    double re;
    double im;
};

// The first log2(size) bits of the index in reverse.
__device__ int reversed(int index, int size) {
    int result = 0;
    for (int bit = 1; bit < size; bit *= 2) {
        result = 2 * result + (index & 1);
        index /= 2;
    }
    return result;
}

__global__ void transform(const float* signal, const float* window, float* power, int frame_size, int hop) {
    extern __shared__ Complex values[];
    const long long start = static_cast<long long>(blockIdx.x) * hop;
    for (int n = threadIdx.x; n < frame_size; n += threads) {
        values[reversed(n, frame_size)] = {static_cast<double>(window[n]) * signal[start + n], 0.0};
    }
    __syncthreads();
    for (int length = 1; length < frame_size; length *= 2) {
        for (int butterfly = threadIdx.x; butterfly < frame_size / 2; butterfly += threads) {
            const int k = butterfly % length;
            const double sine = -sinpi(static_cast<double>(k) / length);
            const double cosine = cospi(static_cast<double>(k) / length);
            Complex* const place = values + (butterfly - k) * 2 + k;
            const Complex a = place[0];
            const Complex b = place[length];
            const Complex turned = {b.re * cosine - b.im * sine, b.re * sine + b.im * cosine};
            place[0] = {a.re + turned.re, a.im + turned.im};
            place[length] = {a.re - turned.re, a.im - turned.im};
        }
        __syncthreads();
    }
    const int coefficients = frame_size / 2 + 1;
    float* const row = power + static_cast<long long>(blockIdx.x) * coefficients;
    for (int k = threadIdx.x; k < coefficients; k += threads) {
        row[k] = static_cast<float>(values[k].re * values[k].re + values[k].im * values[k].im);
    }
}

// From |X|^2 to s (2 |X| + 8 u s) with s = (1 + log2 F) ||windowed frame||: X is in error by a few u s, and its square
// by that times 2 |X|. One block a frame.
__global__ void write_sizes(const float* signal, const float* window, float* power, int frame_size, int hop) {
    const long long start = static_cast<long long>(blockIdx.x) * hop;
    double squares = 0;
    for (int n = 0; n < frame_size; ++n) {
        const double value = static_cast<double>(window[n]) * signal[start + n];
        squares += value * value;
    }
    const double s = (1 + log2(static_cast<double>(frame_size))) * sqrt(squares);
    const int coefficients = frame_size / 2 + 1;
    float* const row = power + static_cast<long long>(blockIdx.x) * coefficients;
    for (int k = threadIdx.x; k < coefficients; k += threads) {
        row[k] = static_cast<float>(s * (2 * sqrt(static_cast<double>(row[k])) + s * (8.0 / 16777216)));
    }
}

} // namespace

extern "C" void solve(const float* signal, const float* window, float* power, int frames, int frame_size, int hop) {
    transform<<<frames, threads, frame_size * sizeof(Complex)>>>(signal, window, power, frame_size, hop);
}

extern "C" void magnitude(const float* signal, const float* window, float* power, int frames, int frame_size, int hop) {
    solve(signal, window, power, frames, frame_size, hop);
    write_sizes<<<frames, threads>>>(signal, window, power, frame_size, hop);
}
