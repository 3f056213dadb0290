// Cascades of biquad sections; one thread a channel, in double precision, section after section.

namespace {

constexpr int threads = 32;

struct Section {
    double b[3];
    double a[2];
};

__device__ Section section_of(const float* feedforward, const float* feedback, long long number) {
    const float* const b = feedforward + 3 * number;
    const float* const a = feedback + 2 * number;
    return {{b[0], b[1], b[2]}, {a[0], a[1]}};
}

// The last two inputs and outputs of a section, the latest first.
struct Past {
    double x[2];
    double y[2];

    __device__ void remember(double now, double next) {
        x[1] = x[0];
        x[0] = now;
        y[1] = y[0];
        y[0] = next;
    }
};

__device__ double step(const Section& s, Past& past, double x) {
    const double y = s.b[0] * x + s.b[1] * past.x[0] + s.b[2] * past.x[1] - s.a[0] * past.y[0] - s.a[1] * past.y[1];
    past.remember(x, y);
    return y;
}

// `values` holds the signals between the sections, sample by sample of all channels, so that neighbouring threads
// access neighbouring elements.
__global__ void filter(const float* input, const float* feedforward, const float* feedback, double* values,
                       float* output, int channels, int samples, int sections) {
    const int channel = blockIdx.x * threads + threadIdx.x;
    if (channel >= channels) {
        return;
    }
    const long long row = static_cast<long long>(channel) * samples;
    for (int s = 0; s < sections; ++s) {
        const Section section = section_of(feedforward, feedback, static_cast<long long>(channel) * sections + s);
        Past past = {};
        for (int n = 0; n < samples; ++n) {
            const long long place = static_cast<long long>(n) * channels + channel;
            values[place] = step(section, past, s == 0 ? input[row + n] : values[place]);
        }
    }
    for (int n = 0; n < samples; ++n) {
        output[row + n] = static_cast<float>(values[static_cast<long long>(n) * channels + channel]);
    }
}

// The size of a step's rounding errors, and of those that it inherits by its inputs (`x`) and outputs (`past`).
__device__ double step_size(const Section& s, Past& past, double x, double products) {
    const double y = products + fabs(s.b[0]) * x + fabs(s.b[1]) * past.x[0] + fabs(s.b[2]) * past.x[1] +
                     fabs(s.a[0]) * past.y[0] + fabs(s.a[1]) * past.y[1];
    past.remember(x, y);
    return y;
}

__device__ double sum_of_products(const Section& s, const Past& past, double x) {
    return fabs(s.b[0] * x) + fabs(s.b[1] * past.x[0]) + fabs(s.b[2] * past.x[1]) + fabs(s.a[0] * past.y[0]) +
           fabs(s.a[1] * past.y[1]);
}

// As `filter`, with `sizes` beside `values`.
__global__ void filter_sizes(const float* input, const float* feedforward, const float* feedback, double* values,
                             double* sizes, float* output, int channels, int samples, int sections) {
    const int channel = blockIdx.x * threads + threadIdx.x;
    if (channel >= channels) {
        return;
    }
    const long long row = static_cast<long long>(channel) * samples;
    for (int s = 0; s < sections; ++s) {
        const Section section = section_of(feedforward, feedback, static_cast<long long>(channel) * sections + s);
        Past past = {};
        Past past_sizes = {};
        for (int n = 0; n < samples; ++n) {
            const long long place = static_cast<long long>(n) * channels + channel;
            const double x = s == 0 ? input[row + n] : values[place];
            const double products = sum_of_products(section, past, x);
            sizes[place] = step_size(section, past_sizes, s == 0 ? 0.0 : sizes[place], products);
            values[place] = step(section, past, x);
        }
    }
    for (int n = 0; n < samples; ++n) {
        output[row + n] = static_cast<float>(sizes[static_cast<long long>(n) * channels + channel]);
    }
}

} // namespace

extern "C" void solve(const float* input, const float* feedforward, const float* feedback, float* output, int channels,
                      int samples, int sections) {
    double* values = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&values), static_cast<size_t>(channels) * samples * sizeof(double));
    filter<<<(channels + threads - 1) / threads, threads>>>(input, feedforward, feedback, values, output, channels,
                                                            samples, sections);
    cudaFree(values);
}

extern "C" void magnitude(const float* input, const float* feedforward, const float* feedback, float* output,
                          int channels, int samples, int sections) {
    const size_t bytes = static_cast<size_t>(channels) * samples * sizeof(double);
    double* values = nullptr;
    double* sizes = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&values), bytes);
    cudaMalloc(reinterpret_cast<void**>(&sizes), bytes);
    filter_sizes<<<(channels + threads - 1) / threads, threads>>>(input, feedforward, feedback, values, sizes, output,
                                                                  channels, samples, sections);
    cudaFree(values);
    cudaFree(sizes);
}
