// Host code of many kinds: each function is one call to record. observe(value) lets the test see a value as the
// argument of a recorded launch.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cstdint>
#include <cstring>
#include <vector>

#define CALL(name)                                                                                                     \
    extern "C" __attribute__((visibility("default"))) void name(void* const* buffers, const long long* dims,           \
                                                                const double* params)
#define UNUSED (void)buffers, (void)dims, (void)params

struct Parameters {
    const float* x;
    float* y;
    std::int64_t n;
    float a;
};

__constant__ float coefficients[16];
__device__ int counter;
static __device__ double hidden[4];

__global__ void observe(int) {}

template <int Unroll> __global__ void saxpy(Parameters p) {
    const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
    for (int u = 0; u < Unroll; ++u)
        if (i + u < p.n)
            p.y[i + u] = p.a * p.x[i + u] + coefficients[u];
}

namespace {
__global__ void scale(float* y, char c, double d, float s) {
    y[threadIdx.x] *= s * static_cast<float>(d) + static_cast<float>(c) + static_cast<float>(hidden[0]);
}
} // namespace

__global__ void __launch_bounds__(128) bounded(float* y) {
    extern __shared__ float dynamic[];
    __shared__ float fixed[1024];
    fixed[threadIdx.x] = y[threadIdx.x] + dynamic[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = fixed[127 - threadIdx.x];
    atomicAdd(&counter, 1);
}

// Needs so many registers that 1024 threads have not enough.
__global__ void greedy(float* y) {
    float v[160];
#pragma unroll
    for (int i = 0; i < 160; ++i)
        v[i] = y[i * 7919 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 160; ++i)
        y[i * 31 + threadIdx.x] = v[i] * v[(i * 37 + 11) % 160];
}

__global__ void together(float* y) {
    cooperative_groups::this_grid().sync();
    y[0] = 1;
}

static void observe_on_host(int value) {
    observe<<<1, 1>>>(value);
}

CALL(launches) {
    UNUSED;
    cudaProfilerStart();
    const Parameters p{static_cast<const float*>(buffers[0]), static_cast<float*>(buffers[1]), dims[0],
                       static_cast<float>(params[0])};
    saxpy<4><<<dim3(static_cast<unsigned>(dims[0] / 256), 2, 3), dim3(32, 8), 64>>>(p);
    scale<<<1, 1>>>(static_cast<float*>(buffers[1]), 'c', 2.5, 0.5F);
}

CALL(memory) {
    UNUSED;
    const float values[6] = {1, 2, 3, 4, 5, 6};
    void *first = nullptr, *second = nullptr, *none = &first;
    std::size_t pitch = 0;
    cudaMalloc(&first, 100);
    cudaMallocPitch(&second, &pitch, 12, 2);
    cudaMalloc(&none, 0);
    observe_on_host(static_cast<int>(pitch));
    observe_on_host(none == nullptr);
    cudaMemsetAsync(first, 7, 10, nullptr);
    cudaMemcpy2D(second, pitch, values, 12, 12, 2, cudaMemcpyHostToDevice);
    cudaMemcpyAsync(buffers[1], first, 100, cudaMemcpyDefault, cudaStreamLegacy);
    cudaFree(second);
    cudaFree(nullptr);
}

CALL(memory_errors) {
    UNUSED;
    int value = 0;
    void* device = nullptr;
    cudaMalloc(&device, 16);
    observe_on_host(cudaMemcpy(device, &value, 17, cudaMemcpyHostToDevice));
    observe_on_host(cudaMemcpy(buffers[0], &value, 4, cudaMemcpyHostToDevice));
    observe_on_host(cudaMemcpy(&value, device, 4, cudaMemcpyHostToDevice));
    observe_on_host(cudaMemcpy(device, buffers[0], 4, cudaMemcpyHostToDevice)); // a wrong kind, but clear addresses
    observe_on_host(cudaFree(static_cast<char*>(device) + 4));
    observe_on_host(cudaFree(device));
    observe_on_host(cudaFree(device));
    observe_on_host(cudaMemset(device, 0, 4));
    void* huge = nullptr;
    observe_on_host(cudaMalloc(&huge, std::size_t{1} << 50));
    observe_on_host(cudaGetLastError());
    observe_on_host(cudaGetLastError());
}

CALL(symbols) {
    UNUSED;
    const float some[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(coefficients, some, sizeof some, 8);
    std::size_t bytes = 0;
    cudaGetSymbolSize(&bytes, hidden);
    observe_on_host(static_cast<int>(bytes));
    void* address = nullptr;
    cudaGetSymbolAddress(&address, counter);
    cudaMemset(address, 0, sizeof(int));
    int count = 0;
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    observe_on_host(count);
    observe_on_host(cudaMemcpyToSymbol(coefficients, some, sizeof some, 60));
    observe_on_host(cudaMemcpyToSymbol(some, some, sizeof some));
}

CALL(order) {
    UNUSED;
    cudaStream_t a, b;
    cudaEvent_t e, unrecorded;
    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaEventCreateWithFlags(&unrecorded, cudaEventDisableTiming);
    observe<<<1, 1, 0, a>>>(1);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
    cudaStreamWaitEvent(b, unrecorded, 0);
    observe<<<1, 1, 0, b>>>(2);
    observe<<<1, 1, 0, cudaStreamPerThread>>>(3);
    cudaStreamSynchronize(b);
    cudaEventSynchronize(e);
    cudaDeviceSynchronize();
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, e, e);
    observe_on_host(milliseconds > 0);
    observe_on_host(cudaEventElapsedTime(&milliseconds, e, unrecorded));
    cudaStreamDestroy(a);
    observe_on_host(cudaStreamSynchronize(a));
}

CALL(launch_errors) {
    UNUSED;
    auto* y = static_cast<float*>(buffers[1]);
    observe<<<1, 1025>>>(0);
    observe_on_host(cudaGetLastError());
    observe<<<0, 1>>>(0);
    observe_on_host(cudaGetLastError());
    observe<<<dim3(1, 65536), 1>>>(0);
    observe_on_host(cudaGetLastError());
    bounded<<<1, 129>>>(y);
    observe_on_host(cudaGetLastError());
    greedy<<<1, 1024>>>(y);
    observe_on_host(cudaGetLastError());
    bounded<<<1, 128, 49152 - 4096 + 1>>>(y);
    observe_on_host(cudaGetLastError());
    observe_on_host(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 4096 + 1));
    observe_on_host(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 4096));
    cudaGetLastError();
    bounded<<<1, 128, 232448 - 4096>>>(y);
    observe_on_host(cudaGetLastError());
    observe_on_host(
        cudaLaunchKernel(reinterpret_cast<const void*>(&observe_on_host), dim3(1), dim3(1), nullptr, 0, nullptr));
    observe<<<1, 1, 0, reinterpret_cast<cudaStream_t>(0x12345)>>>(0);
    observe_on_host(cudaPeekAtLastError());
}

CALL(cooperative) {
    UNUSED;
    auto* y = static_cast<float*>(buffers[1]);
    void* arguments[] = {&y};
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, together, 1024, 0);
    observe_on_host(blocks);
    observe_on_host(cudaLaunchCooperativeKernel(together, dim3(2 * 132), dim3(1024), arguments));
    observe_on_host(cudaLaunchCooperativeKernel(together, dim3(2 * 132 + 1), dim3(1024), arguments));
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(2);
    config.blockDim = dim3(64);
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, together, y);
}

CALL(partial_sum) {
    UNUSED;
    int values[3] = {};
    observe_on_host(1);
    cudaMemcpy(values, buffers[1], sizeof values, cudaMemcpyDeviceToHost);
    observe_on_host(values[0] + values[1] + values[2]);
}

CALL(large_copies) {
    UNUSED;
    std::vector<unsigned char> data((std::size_t{64} << 20) + 5, 3);
    data.back() = 9;
    void* device = nullptr;
    cudaMalloc(&device, data.size());
    cudaMemcpyAsync(device, data.data(), data.size(), cudaMemcpyHostToDevice);
    std::vector<unsigned char> back(data.size());
    cudaMemcpyAsync(back.data(), device, back.size(), cudaMemcpyDeviceToHost);
    observe_on_host(back.front());
    observe_on_host(back.back());
}

CALL(device) {
    UNUSED;
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, 0);
    observe_on_host(properties.multiProcessorCount);
    observe_on_host(properties.major * 10 + properties.minor);
    observe_on_host(std::strcmp(properties.name, "NVIDIA H200"));
    observe_on_host(static_cast<int>(properties.sharedMemPerBlockOptin));
    int value = 0;
    cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 0);
    observe_on_host(value);
    observe_on_host(cudaSetDevice(1));
    cudaFuncAttributes attributes{};
    cudaFuncGetAttributes(&attributes, bounded);
    observe_on_host(attributes.ptxVersion);
    observe_on_host(attributes.binaryVersion);
    observe_on_host(attributes.maxThreadsPerBlock);
    observe_on_host(static_cast<int>(attributes.sharedSizeBytes));
    observe_on_host(attributes.maxDynamicSharedSizeBytes);
    observe_on_host(std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
    observe_on_host(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
    cudaPointerAttributes pointer{};
    cudaPointerGetAttributes(&pointer, buffers[0]);
    observe_on_host(pointer.type);
    cudaPointerGetAttributes(&pointer, &value);
    observe_on_host(pointer.type);
    std::size_t free_bytes = 0, total_bytes = 0;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    void* some = nullptr;
    cudaMalloc(&some, 1);
    std::size_t less = 0;
    cudaMemGetInfo(&less, &total_bytes);
    observe_on_host(static_cast<int>(free_bytes - less));
}

CALL(unsupported) {
    UNUSED;
    observe_on_host(1);
    cudaIpcMemHandle_t handle;
    cudaIpcGetMemHandle(&handle, nullptr);
    observe_on_host(2);
}

CALL(unsupported_attribute) {
    UNUSED;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(2);
    config.blockDim = dim3(64);
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, observe, 1);
}
