// Clockwise rotation by a right angle; one thread a value, writing along the rows of the result.

namespace {

constexpr int threads = 256;

__global__ void rotate(const float* input, float* output, int rows, int cols, int channels) {
    const long long index = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (index >= static_cast<long long>(rows) * cols * channels) {
        return;
    }
    const int channel = static_cast<int>(index % channels);
    const int row = rows - 1 - static_cast<int>(index / channels % rows);
    const int col = static_cast<int>(index / channels / rows);
    output[index] = input[(static_cast<long long>(row) * cols + col) * channels + channel];
}

} // namespace

extern "C" void solve(const float* input, float* output, int rows, int cols, int channels) {
    const long long values = static_cast<long long>(rows) * cols * channels;
    rotate<<<static_cast<int>((values + threads - 1) / threads), threads>>>(input, output, rows, cols, channels);
}
