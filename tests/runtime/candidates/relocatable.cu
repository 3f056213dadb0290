// Compiled with -rdc=true and linked by nvlink. Each function sets output[i] = 2 * input[i] + 1 for i < dims[0] = 4096.
#define CALL(name)                                                                                                     \
    extern "C" __attribute__((visibility("default"))) void name(void* const* buffers, const long long* dims,           \
                                                                const double*)

constexpr int block = 256;

extern __device__ float addend;
__device__ float twice(float x);

__global__ void linear(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = twice(x[i]) + addend;
}

__global__ void starts_another(const float* x, float* y, int n) {
    if (threadIdx.x == 0)
        linear<<<n / block, block>>>(x, y, n);
}

__device__ float addend = 1;
__device__ __noinline__ float twice(float x) {
    return 2 * x;
}

CALL(separate_compilation) {
    const int n = static_cast<int>(dims[0]);
    linear<<<n / block, block>>>(static_cast<const float*>(buffers[0]), static_cast<float*>(buffers[1]), n);
}

CALL(kernel_from_kernel) {
    const int n = static_cast<int>(dims[0]);
    starts_another<<<1, 32>>>(static_cast<const float*>(buffers[0]), static_cast<float*>(buffers[1]), n);
}
