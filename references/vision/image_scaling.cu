// Bilinear enlargement by 3 / 2; one thread a value, in double precision.

namespace {

constexpr int threads = 256;

// Where an output index lies in the input: between two pixels, `part` of the way.
struct Position {
    int first;
    int second;
    double part;
    double place;

    __device__ Position(int index, int size) {
        place = fmin(fmax((index + 0.5) * 2 / 3 - 0.5, 0.0), size - 1.0);
        first = static_cast<int>(floor(place));
        second = min(first + 1, size - 1);
        part = place - first;
    }
};

struct Corners {
    double value[2][2];
};

struct Value {
    static __device__ double of(const Corners& c, const Position& y, const Position& x) {
        const double upper = (1 - x.part) * c.value[0][0] + x.part * c.value[0][1];
        const double lower = (1 - x.part) * c.value[1][0] + x.part * c.value[1][1];
        return (1 - y.part) * upper + y.part * lower;
    }
};

// A coordinate's rounding grows with it and moves the value by the difference of neighbours.
struct Size {
    static __device__ double of(const Corners& c, const Position& y, const Position& x) {
        const double largest =
            fmax(fmax(fabs(c.value[0][0]), fabs(c.value[0][1])), fmax(fabs(c.value[1][0]), fabs(c.value[1][1])));
        const double down = fmax(fabs(c.value[1][0] - c.value[0][0]), fabs(c.value[1][1] - c.value[0][1]));
        const double right = fmax(fabs(c.value[0][1] - c.value[0][0]), fabs(c.value[1][1] - c.value[1][0]));
        return largest + (y.place + 1) * down + (x.place + 1) * right;
    }
};

template <typename Of>
__global__ void enlarge(const float* input, float* output, int rows, int cols, int channels, long long values) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index >= values) {
        return;
    }
    const int width = 3 * cols / 2;
    const int channel = static_cast<int>(index % channels);
    const Position x(static_cast<int>(index / channels % width), cols);
    const Position y(static_cast<int>(index / channels / width), rows);
    const auto at = [&](long long row, int col) -> double { return input[(row * cols + col) * channels + channel]; };
    const Corners corners = {
        {{at(y.first, x.first), at(y.first, x.second)}, {at(y.second, x.first), at(y.second, x.second)}}};
    output[index] = static_cast<float>(Of::of(corners, y, x));
}

template <typename Of> void launch(const float* input, float* output, int rows, int cols, int channels) {
    const long long values = static_cast<long long>(3 * rows / 2) * (3 * cols / 2) * channels;
    const int blocks = static_cast<int>((values + threads - 1) / threads);
    enlarge<Of><<<blocks, threads>>>(input, output, rows, cols, channels, values);
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols, int channels) {
    launch<Value>(input, output, rows, cols, channels);
}

extern "C" void magnitude(const float* input, float* output, int rows, int cols, int channels) {
    launch<Size>(input, output, rows, cols, channels);
}
