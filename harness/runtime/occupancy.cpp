#include "runtime/occupancy.h"

#include <cuda_occupancy.h>

#include <algorithm>

namespace cudabench::runtime {

namespace {

cudaOccDeviceProp device_limits(const Recording& r) {
    const auto size = [&](CUdevice_attribute which) { return static_cast<std::size_t>(r.attribute(which)); };
    cudaOccDeviceProp limits;
    limits.computeMajor = r.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    limits.computeMinor = r.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    limits.maxThreadsPerBlock = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    limits.maxThreadsPerMultiprocessor = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    limits.regsPerBlock = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    limits.regsPerMultiprocessor = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    limits.warpSize = r.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    limits.sharedMemPerBlock = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    limits.sharedMemPerMultiprocessor = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    limits.numSms = r.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    limits.sharedMemPerBlockOptin = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    limits.reservedSharedMemPerBlock = size(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    return limits;
}

cudaOccFuncAttributes needs(const RegisteredKernel& kernel, int threads) {
    cudaOccFuncAttributes result;
    result.maxThreadsPerBlock = threads;
    result.numRegs = static_cast<int>(kernel.code.registers);
    result.sharedSizeBytes = kernel.code.static_shared_bytes;
    result.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    result.maxDynamicSharedSizeBytes = kernel.max_dynamic_shared;
    result.numBlockBarriers = 1;
    return result;
}

cudaOccDeviceState state(const RegisteredKernel& kernel) {
    cudaOccDeviceState result;
    result.carveoutConfig = kernel.preferred_shared_percent;
    return result;
}

int declared_max_threads(const Recording& r, const RegisteredKernel& kernel) {
    const int device = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    const auto declared = static_cast<int>(kernel.code.max_threads);
    return declared > 0 ? std::min(device, declared) : device;
}

cudaOccResult occupancy(const Recording& r, const RegisteredKernel& kernel, int threads, std::size_t shared_bytes) {
    const auto device = device_limits(r);
    const auto function = needs(kernel, declared_max_threads(r, kernel));
    const auto settings = state(kernel);
    cudaOccResult result{};
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &settings, threads, shared_bytes) !=
        CUDA_OCC_SUCCESS)
        result = {};
    return result;
}

} // namespace

int blocks_per_multiprocessor(const Recording& r, const RegisteredKernel& kernel, int threads,
                              std::size_t dynamic_shared_bytes) {
    return occupancy(r, kernel, threads, dynamic_shared_bytes).activeBlocksPerMultiprocessor;
}

int max_threads(const Recording& r, const RegisteredKernel& kernel) {
    const int warp = std::max(1, r.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
    int threads = declared_max_threads(r, kernel);
    while (threads > warp && occupancy(r, kernel, threads, 0).blockLimitRegs == 0)
        threads = (threads - 1) / warp * warp;
    return threads;
}

std::size_t available_shared_bytes(const Recording& r, const RegisteredKernel& kernel, int blocks, int threads) {
    const auto device = device_limits(r);
    const auto function = needs(kernel, declared_max_threads(r, kernel));
    const auto settings = state(kernel);
    std::size_t bytes = 0;
    if (cudaOccAvailableDynamicSMemPerBlock(&bytes, &device, &function, &settings, blocks, threads) != CUDA_OCC_SUCCESS)
        return 0;
    return bytes;
}

} // namespace cudabench::runtime
