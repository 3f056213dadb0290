#include "runtime/occupancy.h"
#include "runtime/recording.h"

#include <algorithm>
#include <string>

/// What host code asks and sets of one kernel.

using namespace cudabench::runtime;

namespace {

template <typename Work> cudaError_t with_kernel(const void* function, Work&& work) {
    return answer([&](Recording& r) {
        auto* kernel = r.modules.kernel(function);
        return kernel ? work(r, *kernel)
                      : r.refuse(cudaErrorInvalidDeviceFunction, "attributes of a kernel that is not registered");
    });
}

int most_dynamic_shared(const Recording& r, const RegisteredKernel& kernel) {
    return r.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
           static_cast<int>(kernel.code.static_shared_bytes);
}

cudaFuncAttributes attributes_of(const Recording& r, const RegisteredKernel& kernel) {
    cudaFuncAttributes result{};
    result.sharedSizeBytes = kernel.code.static_shared_bytes;
    result.constSizeBytes = kernel.code.constant_bytes;
    result.localSizeBytes = kernel.code.local_bytes;
    result.maxThreadsPerBlock = max_threads(r, kernel);
    result.numRegs = static_cast<int>(kernel.code.registers);
    result.ptxVersion = kernel.ptx_architecture;
    result.binaryVersion = kernel.code.architecture;
    result.maxDynamicSharedSizeBytes = static_cast<int>(kernel.max_dynamic_shared);
    result.preferredShmemCarveout = kernel.preferred_shared_percent;
    result.nonPortableClusterSizeAllowed = kernel.non_portable_cluster ? 1 : 0;
    result.clusterDimMustBeSet = kernel.code.cluster[0] != 0 ? 1 : 0;
    result.requiredClusterWidth = static_cast<int>(kernel.code.cluster[0]);
    result.requiredClusterHeight = static_cast<int>(kernel.code.cluster[1]);
    result.requiredClusterDepth = static_cast<int>(kernel.code.cluster[2]);
    return result;
}

} // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    return with_kernel(function, [&](Recording& r, RegisteredKernel& kernel) {
        if (!attributes)
            return cudaErrorInvalidValue;
        *attributes = attributes_of(r, kernel);
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return with_kernel(function, [&](Recording& r, RegisteredKernel& kernel) {
        switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            if (value < 0 || value > most_dynamic_shared(r, kernel))
                return r.refuse(cudaErrorInvalidValue,
                                "dynamic shared memory of " + std::to_string(value) + " bytes for " + kernel.code.name +
                                    ", while a block may have " + std::to_string(most_dynamic_shared(r, kernel)));
            kernel.max_dynamic_shared = static_cast<std::uint32_t>(value);
            return cudaSuccess;
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < -1 || value > 100)
                return cudaErrorInvalidValue;
            kernel.preferred_shared_percent = value;
            return cudaSuccess;
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
            kernel.non_portable_cluster = value != 0;
            return cudaSuccess;
        case cudaFuncAttributeClusterSchedulingPolicyPreference: return cudaSuccess; // a hint
        default: r.link.unsupported("cudaFuncSetAttribute with attribute " + std::to_string(attribute));
        }
    });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return with_kernel(function, [&](Recording&, RegisteredKernel& kernel) {
        if (!name)
            return cudaErrorInvalidValue;
        *name = kernel.code.name.c_str();
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
    return with_kernel(function, [](Recording&, RegisteredKernel&) { return cudaSuccess; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
    return with_kernel(function, [](Recording&, RegisteredKernel&) { return cudaSuccess; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes,
                                                                  cudaOccupancyDefault);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   size_t shared_bytes, unsigned) {
    return with_kernel(function, [&](Recording& r, RegisteredKernel& kernel) {
        if (!blocks || threads <= 0)
            return cudaErrorInvalidValue;
        *blocks = blocks_per_multiprocessor(r, kernel, threads, shared_bytes);
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int threads) {
    return with_kernel(function, [&](Recording& r, RegisteredKernel& kernel) {
        if (!bytes || blocks <= 0 || threads <= 0)
            return cudaErrorInvalidValue;
        *bytes = available_shared_bytes(r, kernel, blocks, threads);
        return cudaSuccess;
    });
}
