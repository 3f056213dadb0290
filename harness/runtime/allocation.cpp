#include "runtime/recording.h"

#include <algorithm>
#include <cstdlib>
#include <string>

/// Device and page-locked host memory, and what pointers are.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

recipe::Address address_of(const void* pointer) {
    return reinterpret_cast<recipe::Address>(pointer);
}

cudaError_t allocate(Recording& r, void** pointer, std::size_t bytes) {
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0)
        return cudaSuccess;
    const auto address = r.memory.allocate(bytes);
    if (!address)
        return r.refuse(cudaErrorMemoryAllocation, std::to_string(bytes) + " bytes of device memory, with " +
                                                       std::to_string(r.memory.live_bytes()) + " in use of " +
                                                       std::to_string(r.hello.workspace.bytes) + " (at most " +
                                                       std::to_string(r.hello.limits.allocations) + " allocations)");
    r.link.operation(recipe::Allocate{*address, bytes});
    *pointer = reinterpret_cast<void*>(*address); // NOLINT(performance-no-int-to-ptr): never dereferenced
    return cudaSuccess;
}

cudaError_t release(Recording& r, void* pointer) {
    if (!pointer)
        return cudaSuccess;
    if (!r.memory.release(address_of(pointer)))
        return r.refuse(cudaErrorInvalidValue, "cudaFree of what cudaMalloc did not return, or a second time");
    r.link.operation(recipe::Release{address_of(pointer)});
    return cudaSuccess;
}

cudaError_t allocate_host(Recording& r, void** pointer, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0)
        return cudaSuccess;
    const std::size_t pages = (bytes + page - 1) / page * page;
    void* memory = pages < bytes ? nullptr : std::aligned_alloc(page, pages);
    if (!memory)
        return r.refuse(cudaErrorMemoryAllocation, std::to_string(bytes) + " bytes of page-locked memory");
    r.host_memory[memory] = bytes;
    *pointer = memory;
    return cudaSuccess;
}

/// Whether the pointer lies in page-locked memory.
bool is_host_memory(const Recording& r, const void* pointer) {
    auto next = r.host_memory.upper_bound(pointer);
    if (next == r.host_memory.begin())
        return false;
    --next;
    return address_of(pointer) - address_of(next->first) < next->second;
}

} // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return answer([&](Recording& r) { return allocate(r, pointer, bytes); });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId) { return allocate(r, pointer, bytes); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return answer([&](Recording& r) {
        // Rows begin where textures may: 512 bytes on every device of the last ten years.
        constexpr std::size_t alignment = 512;
        if (!pitch || width > SIZE_MAX - alignment)
            return cudaErrorInvalidValue;
        *pitch = (width + alignment - 1) / alignment * alignment;
        if (height != 0 && *pitch > SIZE_MAX / height)
            return r.refuse(cudaErrorMemoryAllocation, "a pitched allocation beyond all memory");
        return allocate(r, pointer, *pitch * height);
    });
}

cudaError_t cudaFree(void* pointer) {
    return answer([&](Recording& r) {
        // cudaFree waits for the device, and host code may build on it.
        if (pointer)
            r.link.operation(recipe::Synchronize{recipe::Synchronize::Scope::device, 0});
        return release(r, pointer);
    });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId) { return release(r, pointer); });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return answer([&](Recording& r) { return allocate_host(r, pointer, bytes); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
    return answer([&](Recording& r) {
        if ((flags & cudaHostAllocMapped) != 0)
            r.link.unsupported("cudaHostAlloc with cudaHostAllocMapped");
        return allocate_host(r, pointer, bytes);
    });
}

cudaError_t cudaFreeHost(void* pointer) {
    return answer([&](Recording& r) {
        if (!pointer)
            return cudaSuccess;
        if (r.host_memory.erase(pointer) == 0)
            return r.refuse(cudaErrorInvalidValue, "cudaFreeHost of what cudaMallocHost did not return");
        std::free(pointer);
        return cudaSuccess;
    });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
    return answer([&](Recording& r) {
        if (!free_bytes || !total_bytes)
            return cudaErrorInvalidValue;
        *free_bytes = r.hello.free_memory - std::min<std::uint64_t>(r.hello.free_memory, r.memory.live_bytes());
        *total_bytes = r.hello.device.memory_bytes;
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return answer([&](Recording& r) {
        if (!attributes)
            return cudaErrorInvalidValue;
        *attributes = {};
        attributes->device = -2; // what the runtime says of memory that it does not know
        attributes->hostPointer = const_cast<void*>(pointer);
        if (r.memory.find(address_of(pointer))) {
            attributes->type = cudaMemoryTypeDevice;
            attributes->device = 0;
            attributes->devicePointer = const_cast<void*>(pointer);
            attributes->hostPointer = nullptr;
        } else if (is_host_memory(r, pointer)) {
            attributes->type = cudaMemoryTypeHost;
            attributes->device = 0;
            attributes->devicePointer = const_cast<void*>(pointer);
        }
        return cudaSuccess;
    });
}
