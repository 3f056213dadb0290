// Peak signal-to-noise ratio; sums of squared differences in double precision: parts of an image, then images.

namespace {

constexpr int threads = 256;
constexpr int most_parts = 64; // of an image

__device__ double sum_of_block(double value) {
    __shared__ double sums[threads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    return sums[0];
}

__global__ void sum_parts(const float* image, const float* original, double* sums, int pixels) {
    const int parts = static_cast<int>(gridDim.x);
    const long long start = static_cast<long long>(blockIdx.y) * pixels;
    double sum = 0;
    for (int p = static_cast<int>(blockIdx.x * threads + threadIdx.x); p < pixels; p += parts * threads) {
        const double difference = static_cast<double>(image[start + p]) - original[start + p];
        sum += difference * difference;
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        sums[blockIdx.y * parts + blockIdx.x] = sum;
    }
}

struct Decibels {
    __device__ float operator()(double ratio, int) const { return static_cast<float>(10 * log10(ratio)); }
};

// 10 / ln 10, and four roundings of the result where a sum has the growth of its number of terms.
struct Size {
    __device__ float operator()(double ratio, int terms) const {
        const double growth = sqrt(static_cast<double>(min(terms, 4096))) + log2(static_cast<double>(terms));
        return static_cast<float>(10 / log(10.0) + 4 * fabs(10 * log10(ratio)) / growth);
    }
};

template <typename Finish>
__global__ void finish_images(const double* sums, int parts, float* psnr, int pixels, double peak, Finish finish) {
    const double sum = sum_of_block(threadIdx.x < parts ? sums[blockIdx.x * parts + threadIdx.x] : 0.0);
    if (threadIdx.x == 0) {
        psnr[blockIdx.x] = finish(peak * peak / (sum / pixels), pixels);
    }
}

template <typename Finish>
void rate(const float* image, const float* original, float* psnr, int images, int pixels, float peak, Finish finish) {
    const int parts = pixels < most_parts * threads ? (pixels + threads - 1) / threads : most_parts;
    double* sums = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), static_cast<size_t>(images) * parts * sizeof(double));
    sum_parts<<<dim3(parts, images), threads>>>(image, original, sums, pixels);
    finish_images<<<images, threads>>>(sums, parts, psnr, pixels, peak, finish);
    cudaFree(sums);
}

} // namespace

extern "C" void solve(const float* image, const float* original, float* psnr, int images, int pixels, float peak) {
    rate(image, original, psnr, images, pixels, peak, Decibels{});
}

extern "C" void magnitude(const float* image, const float* original, float* psnr, int images, int pixels, float peak) {
    rate(image, original, psnr, images, pixels, peak, Size{});
}
