#pragma once

// What sources written for CUDA 11 and 12 call and CUDA 13 no longer has, in terms of what it has. Included before a
// candidate. Left out is what cannot be given back: members of cudaDeviceProp (clockRate, memoryClockRate), texture
// references (texture<>) and functions of the driver.
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000

inline cudaMemLocation cudabench_location_of(int device) {
    cudaMemLocation location{};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}

inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream = nullptr) {
    return cudaMemPrefetchAsync(pointer, bytes, cudabench_location_of(device), 0, stream);
}

inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(pointer, bytes, advice, cudabench_location_of(device));
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            size_t count) {
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

inline cudaError_t cudaThreadSynchronize() {
    return cudaDeviceSynchronize();
}

inline cudaError_t cudaThreadExit() {
    return cudaDeviceReset();
}

#endif
