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

    __device__ double step(const Section& s, double now) {
        const double next = s.b[0] * now + s.b[1] * x[0] + s.b[2] * x[1] - s.a[0] * y[0] - s.a[1] * y[1];
        remember(now, next);
        return next;
    }
    // Of absolute values, with `added` to the result.
    __device__ double step_size(const Section& s, double now, double added) {
        const double next = added + fabs(s.b[0]) * now + fabs(s.b[1]) * x[0] + fabs(s.b[2]) * x[1] +
                            fabs(s.a[0]) * y[0] + fabs(s.a[1]) * y[1];
        remember(now, next);
        return next;
    }
    // The sum of the absolute values of the products of a step.
    __device__ double products(const Section& s, double now) const {
        return fabs(s.b[0] * now) + fabs(s.b[1] * x[0]) + fabs(s.b[2] * x[1]) + fabs(s.a[0] * y[0]) +
               fabs(s.a[1] * y[1]);
    }
    __device__ void remember(double now, double next) {
        x[1] = x[0];
        x[0] = now;
        y[1] = y[0];
        y[0] = next;
    }
};

// `values` holds the signal between the sections, `sizes` its magnitudes if they are wanted.
__global__ void filter(const float* input, const float* feedforward, const float* feedback, double* values,
                       double* sizes, float* output, int channels, int samples, int sections) {
    const int channel = blockIdx.x * threads + threadIdx.x;
    if (channel >= channels) {
        return;
    }
    // Sample by sample of all channels, so that neighbouring threads access neighbouring elements.
    const auto at = [&](int n) { return static_cast<long long>(n) * channels + channel; };
    const long long row = static_cast<long long>(channel) * samples;
    for (int s = 0; s < sections; ++s) {
        const Section section = section_of(feedforward, feedback, static_cast<long long>(channel) * sections + s);
        Past past = {};
        Past past_sizes = {};
        for (int n = 0; n < samples; ++n) {
            const double now = s == 0 ? input[row + n] : values[at(n)];
            if (sizes != nullptr) {
                const double size = s == 0 ? 0.0 : sizes[at(n)];
                sizes[at(n)] = past_sizes.step_size(section, size, past.products(section, now));
            }
            values[at(n)] = past.step(section, now);
        }
    }
    for (int n = 0; n < samples; ++n) {
        output[row + n] = static_cast<float>(sizes != nullptr ? sizes[at(n)] : values[at(n)]);
    }
}

void run(const float* input, const float* feedforward, const float* feedback, float* output, int channels, int samples,
         int sections, bool size_wanted) {
    const size_t bytes = static_cast<size_t>(channels) * samples * sizeof(double);
    double* values = nullptr;
    double* sizes = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&values), bytes);
    if (size_wanted) {
        cudaMalloc(reinterpret_cast<void**>(&sizes), bytes);
    }
    filter<<<(channels + threads - 1) / threads, threads>>>(input, feedforward, feedback, values, sizes, output,
                                                            channels, samples, sections);
    cudaFree(values);
    cudaFree(sizes);
}

} // namespace

extern "C" void solve(const float* input, const float* feedforward, const float* feedback, float* output, int channels,
                      int samples, int sections) {
    run(input, feedforward, feedback, output, channels, samples, sections, false);
}

extern "C" void magnitude(const float* input, const float* feedforward, const float* feedback, float* output,
                          int channels, int samples, int sections) {
    run(input, feedforward, feedback, output, channels, samples, sections, true);
}
