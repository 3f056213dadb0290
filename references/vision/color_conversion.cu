// Grey value of each pixel; one thread a pixel, sums in double precision.

namespace {

constexpr int threads = 256;

__global__ void convert(const float* input, float* output, int pixels, double red, double green, double blue) {
    const int pixel = blockIdx.x * threads + threadIdx.x;
    if (pixel < pixels) {
        const float* const colour = input + 3LL * pixel;
        output[pixel] = static_cast<float>(red * colour[0] + green * colour[1] + blue * colour[2]);
    }
}

__global__ void convert_sizes(const float* input, float* output, int pixels, double red, double green, double blue) {
    const int pixel = blockIdx.x * threads + threadIdx.x;
    if (pixel < pixels) {
        const float* const colour = input + 3LL * pixel;
        output[pixel] = static_cast<float>(fabs(red * colour[0]) + fabs(green * colour[1]) + fabs(blue * colour[2]));
    }
}

} // namespace

extern "C" void solve(const float* input, float* output, int width, int height, float red, float green, float blue) {
    const int pixels = width * height;
    convert<<<(pixels + threads - 1) / threads, threads>>>(input, output, pixels, red, green, blue);
}

// The sum of |weight x value|.
extern "C" void magnitude(const float* input, float* output, int width, int height, float red, float green,
                          float blue) {
    const int pixels = width * height;
    convert_sizes<<<(pixels + threads - 1) / threads, threads>>>(input, output, pixels, red, green, blue);
}
