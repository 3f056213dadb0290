// Fourier transforms by the self-sorting (Stockham) form with radix 2, in double precision: one kernel a stage.

namespace {

constexpr int threads = 256;

struct Complex {
    double re;
    double im;
};

int blocks(long long count) {
    return static_cast<int>((count + threads - 1) / threads);
}

__global__ void load(const float* signal, Complex* values, long long count) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index < count) {
        values[index] = {signal[2 * index], signal[2 * index + 1]};
    }
}

// Joins transforms of `length` values in pairs. One thread a butterfly.
__global__ void join(const Complex* from, Complex* to, long long butterflies, int N, int length) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index >= butterflies) {
        return;
    }
    const long long start = index / (N / 2) * N;
    const int butterfly = static_cast<int>(index % (N / 2));
    const int k = butterfly % length;
    const double sine = -sinpi(static_cast<double>(k) / length);
    const double cosine = cospi(static_cast<double>(k) / length);
    const Complex a = from[start + butterfly];
    const Complex b = from[start + butterfly + N / 2];
    const Complex turned = {b.re * cosine - b.im * sine, b.re * sine + b.im * cosine};
    Complex* const place = to + start + (butterfly - k) * 2 + k;
    place[0] = {a.re + turned.re, a.im + turned.im};
    place[length] = {a.re - turned.re, a.im - turned.im};
}

__global__ void store(const Complex* values, float* spectrum, long long count) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index < count) {
        spectrum[2 * index] = static_cast<float>(values[index].re);
        spectrum[2 * index + 1] = static_cast<float>(values[index].im);
    }
}

// log2 N times the norm of the signal; one block a signal.
__global__ void write_norms(const float* signal, float* spectrum, int N) {
    __shared__ double sums[threads];
    const long long start = 2LL * N * blockIdx.x;
    double sum = 0;
    for (int i = threadIdx.x; i < 2 * N; i += threads) {
        sum += static_cast<double>(signal[start + i]) * signal[start + i];
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 2 * N; i += threads) {
        spectrum[start + i] = static_cast<float>(log2(static_cast<double>(N)) * sqrt(sums[0]));
    }
}

} // namespace

extern "C" void solve(const float* signal, float* spectrum, int batch, int N) {
    const long long count = static_cast<long long>(batch) * N;
    Complex* from = nullptr;
    Complex* to = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&from), static_cast<size_t>(count) * sizeof(Complex));
    cudaMalloc(reinterpret_cast<void**>(&to), static_cast<size_t>(count) * sizeof(Complex));
    load<<<blocks(count), threads>>>(signal, from, count);
    for (int length = 1; length < N; length *= 2) {
        join<<<blocks(count / 2), threads>>>(from, to, count / 2, N, length);
        Complex* const free = from;
        from = to;
        to = free;
    }
    store<<<blocks(count), threads>>>(from, spectrum, count);
    cudaFree(from);
    cudaFree(to);
}

extern "C" void magnitude(const float* signal, float* spectrum, int batch, int N) {
    write_norms<<<batch, threads>>>(signal, spectrum, N);
}
