#include "runtime/recording.h"

#include <algorithm>
#include <cstring>
#include <string>

/// The one device that host code sees, and its settings.

using namespace cudabench::runtime;

namespace {

cudaError_t only_device(int device) {
    return answer([&](Recording& r) {
        return device == 0 ? cudaSuccess
                           : r.refuse(cudaErrorInvalidDevice, "device " + std::to_string(device) + ", of one");
    });
}

std::size_t default_limit(cudaLimit limit) {
    switch (limit) {
    case cudaLimitStackSize: return 1024;
    case cudaLimitPrintfFifoSize: return std::size_t{1} << 20;
    case cudaLimitMallocHeapSize: return std::size_t{8} << 20;
    case cudaLimitDevRuntimePendingLaunchCount: return 2048;
    case cudaLimitMaxL2FetchGranularity: return 64;
    default: return 0;
    }
}

void set_sizes(const Recording& r, cudaDeviceProp& p) {
    const auto size = [&](CUdevice_attribute which) { return static_cast<std::size_t>(r.attribute(which)); };
    p.totalGlobalMem = r.hello.device.memory_bytes;
    p.sharedMemPerBlock = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    p.sharedMemPerBlockOptin = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    p.sharedMemPerMultiprocessor = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    p.reservedSharedMemPerBlock = size(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    p.memPitch = size(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
    p.totalConstMem = size(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
    p.textureAlignment = size(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
    p.texturePitchAlignment = size(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
    p.surfaceAlignment = size(CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT);
}

void set_launch_limits(const Recording& r, cudaDeviceProp& p) {
    p.regsPerBlock = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    p.regsPerMultiprocessor = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    p.warpSize = r.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    p.maxThreadsPerBlock = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    p.maxThreadsPerMultiProcessor = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    p.maxBlocksPerMultiProcessor = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    p.multiProcessorCount = r.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    for (int i = 0; i < 3; ++i) {
        p.maxThreadsDim[i] = r.attribute(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i));
        p.maxGridSize[i] = r.attribute(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i));
    }
}

void set_features(const Recording& r, cudaDeviceProp& p) {
    p.major = r.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    p.minor = r.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    p.integrated = r.attribute(CU_DEVICE_ATTRIBUTE_INTEGRATED);
    p.canMapHostMemory = r.attribute(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
    p.concurrentKernels = r.attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
    p.ECCEnabled = r.attribute(CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
    p.asyncEngineCount = r.attribute(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
    p.unifiedAddressing = r.attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
    p.memoryBusWidth = r.attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    p.l2CacheSize = r.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    p.persistingL2CacheMaxSize = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
    p.accessPolicyMaxWindowSize = r.attribute(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE);
    p.streamPrioritiesSupported = r.attribute(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED);
    p.globalL1CacheSupported = r.attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED);
    p.localL1CacheSupported = r.attribute(CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED);
    p.managedMemory = r.attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
    p.concurrentManagedAccess = r.attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
    p.computePreemptionSupported = r.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED);
    p.cooperativeLaunch = r.attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
    p.hostRegisterSupported = r.attribute(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED);
    p.memoryPoolsSupported = r.attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
    p.clusterLaunch = r.attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
}

} // namespace

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    return only_device(device);
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return only_device(device);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return answer([&](Recording& r) {
        r.device_flags = flags;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return answer([&](Recording& r) {
        *flags = r.device_flags;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (const auto error = only_device(device); error != cudaSuccess)
        return error;
    return answer([&](Recording& r) {
        const auto index = static_cast<std::size_t>(attribute);
        if (!value || index == 0 || index >= r.hello.device.attributes.size())
            return r.refuse(cudaErrorInvalidValue, "device attribute " + std::to_string(index));
        *value = r.hello.device.attributes[index];
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (const auto error = only_device(device); error != cudaSuccess)
        return error;
    return answer([&](Recording& r) {
        if (!properties)
            return cudaErrorInvalidValue;
        *properties = {};
        r.hello.device.name.copy(properties->name, sizeof(properties->name) - 1);
        set_sizes(r, *properties);
        set_launch_limits(r, *properties);
        set_features(r, *properties);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return answer([&](Recording& r) {
        if (!value || limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize)
            return cudaErrorInvalidValue;
        const auto set = r.limits.find(limit);
        *value = set == r.limits.end() ? default_limit(limit) : set->second;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return answer([&](Recording& r) {
        if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize)
            return r.refuse(cudaErrorUnsupportedLimit, "limit " + std::to_string(limit));
        // Kernels may come to need what these ask for; the others are hints.
        if (limit == cudaLimitMallocHeapSize && value > default_limit(limit))
            r.link.unsupported("cudaDeviceSetLimit with cudaLimitMallocHeapSize");
        if (limit == cudaLimitStackSize && value > default_limit(limit))
            r.link.unsupported("cudaDeviceSetLimit with cudaLimitStackSize");
        r.limits[limit] = value;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    if (!can)
        return remember(cudaErrorInvalidValue);
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return remember(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
    return remember(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
    return cudaGetDevice(device);
}

cudaError_t cudaSetValidDevices(int*, int) {
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
    return answer([&](Recording& r) {
        *version = r.hello.device.driver_version;
        return cudaSuccess;
    });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}

cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}
