// Recursive Gaussian filter; one thread a line, in double precision: all columns, then all rows.

namespace {

constexpr int threads = 64;

struct Coefficients {
    double a0, a1, a2, a3, b1, b2, forward, backward;
};

struct Value {
    static __device__ double of(float value) { return value; }
    static __device__ double finish(double value) { return value; }
};

// Of absolute values.
struct Size {
    static __device__ double of(float value) { return fabs(static_cast<double>(value)); }
    static __device__ double finish(double value) { return fabs(value); }
};

template <typename Of> struct Image {
    const float* pixels;
    __device__ double operator[](long long index) const { return Of::of(pixels[index]); }
};

struct Between {
    const double* values;
    __device__ double operator[](long long index) const { return values[index]; }
};

// A line begins at `start` and has `n` values `step` apart; `to` has the same places.
template <typename From>
__device__ void filter(From from, double* to, long long start, int n, long long step, const Coefficients& c) {
    double before = from[start]; // the value before the present one
    double p1 = c.forward * before;
    double p2 = p1;
    for (int i = 0; i < n; ++i) {
        const double now = from[start + i * step];
        const double p = c.a0 * now + c.a1 * before - c.b1 * p1 - c.b2 * p2;
        to[start + i * step] = p;
        before = now;
        p2 = p1;
        p1 = p;
    }
    double next = from[start + (n - 1) * step];
    double after_next = next;
    double q1 = c.backward * next;
    double q2 = q1;
    for (int i = n - 1; i >= 0; --i) {
        const double q = c.a2 * next + c.a3 * after_next - c.b1 * q1 - c.b2 * q2;
        to[start + i * step] += q;
        after_next = next;
        next = from[start + i * step];
        q2 = q1;
        q1 = q;
    }
}

template <typename Of>
__global__ void filter_columns(const float* input, double* between, int rows, int cols, Coefficients c) {
    const int col = blockIdx.x * threads + threadIdx.x;
    if (col < cols) {
        filter(Image<Of>{input}, between, col, rows, cols, c);
    }
}

template <typename Of>
__global__ void filter_rows(const double* between, double* results, float* output, int rows, int cols, Coefficients c) {
    const int row = blockIdx.x * threads + threadIdx.x;
    if (row >= rows) {
        return;
    }
    const long long start = static_cast<long long>(row) * cols;
    filter(Between{between}, results, start, cols, 1, c);
    for (int i = 0; i < cols; ++i) {
        output[start + i] = static_cast<float>(Of::finish(results[start + i]));
    }
}

template <typename Of> void blur(const float* input, float* output, int rows, int cols, const Coefficients& c) {
    const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(double);
    double* between = nullptr;
    double* results = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&between), bytes);
    cudaMalloc(reinterpret_cast<void**>(&results), bytes);
    filter_columns<Of><<<(cols + threads - 1) / threads, threads>>>(input, between, rows, cols, c);
    filter_rows<Of><<<(rows + threads - 1) / threads, threads>>>(between, results, output, rows, cols, c);
    cudaFree(between);
    cudaFree(results);
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols, float a0, float a1, float a2, float a3,
                      float b1, float b2, float forward, float backward) {
    blur<Value>(input, output, rows, cols, {a0, a1, a2, a3, b1, b2, forward, backward});
}

extern "C" void magnitude(const float* input, float* output, int rows, int cols, float a0, float a1, float a2, float a3,
                          float b1, float b2, float forward, float backward) {
    blur<Size>(input, output, rows, cols, {a0, a1, a2, a3, b1, b2, forward, backward});
}
