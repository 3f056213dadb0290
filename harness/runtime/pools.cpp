#include "runtime/allocation.h"

#include <cstring>

/// Memory pools. All memory comes from the workspace; what a pool would keep is kept anyway.

using namespace cudabench::runtime;

namespace {

constexpr std::uint64_t default_pool = 0;

template <typename Use> cudaError_t with_pool(cudaMemPool_t handle, Use&& use) {
    return answer([&](Recording& r) {
        if (handle == handle_of<cudaMemPool_t>(default_pool))
            return use(r, r.pools[handle]);
        const auto found = r.pools.find(handle);
        return found == r.pools.end() ? r.refuse(cudaErrorInvalidValue, "a memory pool that does not exist")
                                      : use(r, found->second);
    });
}

/// Bytes of an attribute's value: three of them are int, the others 64 bits.
std::size_t size_of(cudaMemPoolAttr attribute) {
    return attribute <= cudaMemPoolReuseAllowInternalDependencies ? sizeof(int) : sizeof(std::uint64_t);
}

cudaError_t give_default_pool(cudaMemPool_t* pool, int device) {
    if (!pool || device != 0)
        return remember(cudaErrorInvalidValue);
    *pool = handle_of<cudaMemPool_t>(default_pool);
    return cudaSuccess;
}

} // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return give_default_pool(pool, device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return give_default_pool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t pool) {
    return with_pool(pool, [](Recording&, auto&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return answer([&](Recording& r) {
        if (!pool || !properties)
            return cudaErrorInvalidValue;
        if (properties->handleTypes != cudaMemHandleTypeNone || properties->location.type != cudaMemLocationTypeDevice)
            r.link.unsupported("cudaMemPoolCreate for sharing or host memory");
        static std::uint64_t next = default_pool + 1;
        *pool = handle_of<cudaMemPool_t>(next++);
        r.pools[*pool] = {};
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return with_pool(pool, [&](Recording& r, auto&) {
        r.pools.erase(pool);
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    return with_pool(pool, [](Recording&, auto&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc*, size_t) {
    return with_pool(pool, [](Recording&, auto&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return with_pool(pool, [&](Recording&, auto& attributes) {
        if (!value)
            return cudaErrorInvalidValue;
        std::memcpy(&attributes[attribute], value, size_of(attribute));
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return with_pool(pool, [&](Recording& r, auto& attributes) {
        if (!value)
            return cudaErrorInvalidValue;
        const bool usage = attribute >= cudaMemPoolAttrReservedMemCurrent;
        const std::uint64_t answer = usage ? r.memory.live_bytes() : attributes[attribute];
        std::memcpy(value, &answer, size_of(attribute));
        return cudaSuccess;
    });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    const auto error = with_pool(pool, [](Recording&, auto&) { return cudaSuccess; });
    return error == cudaSuccess ? cudaMallocAsync(pointer, bytes, stream) : error;
}
