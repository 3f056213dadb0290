// By squaring, one thread an element.
__global__ void multiply(const float* left, const float* right, float* product, int N) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (column >= N) {
        return;
    }
    float sum = 0;
    for (int k = 0; k < N; ++k) {
        sum += left[static_cast<long long>(row) * N + k] * right[static_cast<long long>(k) * N + column];
    }
    product[static_cast<long long>(row) * N + column] = sum;
}

extern "C" void solve(const float* input, float* output, int N, int P) {
    const size_t bytes = static_cast<size_t>(N) * N * sizeof(float);
    const dim3 grid((N + 127) / 128, N);
    float *square, *result, *spare;
    cudaMalloc(&square, bytes);
    cudaMalloc(&result, bytes);
    cudaMalloc(&spare, bytes);
    cudaMemcpy(square, input, bytes, cudaMemcpyDeviceToDevice);
    bool begun = false;
    for (; P > 0; P /= 2) {
        if (P % 2 == 1 && !begun) {
            cudaMemcpy(result, square, bytes, cudaMemcpyDeviceToDevice);
            begun = true;
        } else if (P % 2 == 1) {
            multiply<<<grid, 128>>>(result, square, spare, N);
            cudaMemcpy(result, spare, bytes, cudaMemcpyDeviceToDevice);
        }
        if (P > 1) {
            multiply<<<grid, 128>>>(square, square, spare, N);
            cudaMemcpy(square, spare, bytes, cudaMemcpyDeviceToDevice);
        }
    }
    cudaMemcpy(output, result, bytes, cudaMemcpyDeviceToDevice);
    cudaFree(square);
    cudaFree(result);
    cudaFree(spare);
}
