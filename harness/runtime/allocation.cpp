#include "runtime/allocation.h"

#include <algorithm>
#include <string>

/// Device memory, and what pointers are.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

recipe::Address address_of(const void* pointer) {
    return reinterpret_cast<recipe::Address>(pointer);
}

} // namespace

namespace cudabench::runtime {

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

cudaError_t allocate_for_graph(Recording& r, void** pointer, std::size_t bytes) {
    const auto error = allocate(r, pointer, bytes);
    if (error == cudaSuccess)
        r.graph_memory.insert(*pointer);
    return error;
}

} // namespace cudabench::runtime

namespace {

cudaError_t release(Recording& r, void* pointer) {
    if (!pointer || r.graph_memory.contains(pointer))
        return cudaSuccess;
    const auto* shared = r.shared.kind_at(address_of(pointer));
    const bool pinned = shared && *shared == SharedMemory::Kind::pinned;
    if (pinned || !r.memory.release(address_of(pointer)))
        return r.refuse(cudaErrorInvalidValue, "cudaFree of what cudaMalloc did not return, or a second time");
    r.shared.remove(address_of(pointer), SharedMemory::Kind::managed);
    r.link.operation(recipe::Release{address_of(pointer)});
    return cudaSuccess;
}

/// Rows begin where textures may: 512 bytes on every device of the last ten years.
cudaError_t allocate_rows(Recording& r, void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows) {
    constexpr std::size_t alignment = 512;
    if (!pitch || width > SIZE_MAX - alignment)
        return cudaErrorInvalidValue;
    *pitch = (width + alignment - 1) / alignment * alignment;
    if (rows != 0 && *pitch > SIZE_MAX / rows)
        return r.refuse(cudaErrorMemoryAllocation, "a pitched allocation beyond all memory");
    return allocate(r, pointer, *pitch * rows);
}

} // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return answer([&](Recording& r) { return allocate(r, pointer, bytes); });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        if (!r.captures.contains(id))
            return allocate(r, pointer, bytes);
        const auto error = allocate_for_graph(r, pointer, bytes);
        return error == cudaSuccess ? r.submit(id, cudaGraphNodeTypeMemAlloc, {}) : error;
    });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return answer([&](Recording& r) { return allocate_rows(r, pointer, pitch, width, height); });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return answer([&](Recording& r) {
        if (!pitched || (extent.height != 0 && extent.depth > SIZE_MAX / extent.height))
            return cudaErrorInvalidValue;
        pitched->xsize = extent.width;
        pitched->ysize = extent.height;
        return allocate_rows(r, &pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
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
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        if (!r.captures.contains(id))
            return release(r, pointer);
        return r.graph_memory.contains(pointer)
                   ? r.submit(id, cudaGraphNodeTypeMemFree, {})
                   : r.refuse(cudaErrorInvalidValue, "a capture that frees what no graph allocated");
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
        const auto* shared = r.shared.kind_at(address_of(pointer));
        if (!shared && !r.memory.find(address_of(pointer)))
            return cudaSuccess;
        attributes->device = 0;
        attributes->devicePointer = const_cast<void*>(pointer);
        attributes->type = !shared                                 ? cudaMemoryTypeDevice
                           : *shared == SharedMemory::Kind::pinned ? cudaMemoryTypeHost
                                                                   : cudaMemoryTypeManaged;
        if (!shared)
            attributes->hostPointer = nullptr;
        return cudaSuccess;
    });
}
