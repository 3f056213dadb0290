__global__ void convert(const float* input, float* output, int width, int height) {
    const int j = blockIdx.x * 16 + threadIdx.x;
    const int i = blockIdx.y * 16 + threadIdx.y;
    if (i < height && j < width) {
        const long long pixel = static_cast<long long>(i) * width + j;
        output[pixel] = 0.299f * input[3 * pixel] + 0.587f * input[3 * pixel + 1] + 0.114f * input[3 * pixel + 2];
    }
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    convert<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(input, output, width, height);
}
