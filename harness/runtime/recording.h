#pragma once

#include "runtime/api.h"
#include "runtime/device_memory.h"
#include "runtime/executor_link.h"
#include "runtime/graph.h"
#include "runtime/modules.h"
#include "runtime/shared_memory.h"

#include <cuda.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>

namespace cudabench::runtime {

struct Stream {
    recipe::StreamId id = 0;
    unsigned flags = 0;
    int priority = 0;
};

struct Event {
    recipe::EventId id = 0;
    unsigned flags = 0;
    bool recorded = false;
    std::shared_ptr<Capture> captured; ///< the capture that its last record is part of
};

/// What host code knows of an array.
struct Array {
    recipe::ArrayId id = 0;
    cudaChannelFormatDesc channels{};
    recipe::Texel texel;
    cudaExtent extent{}; ///< elements
    unsigned flags = 0;
};

struct TextureObject {
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
};

/// All that the runtime knows. One a process, behind one lock: answer() is the way in.
struct Recording {
    recipe::Hello hello;
    ExecutorLink link;
    DeviceMemory memory;
    Modules modules;
    SharedMemory shared;
    std::map<const void*, std::size_t> registered; ///< host memory of cudaHostRegister, bytes of each
    std::map<const void*, unsigned> host_memory;   ///< page-locked allocations, flags of each
    std::map<cudaArray_const_t, Array> arrays;
    std::map<cudaTextureObject_t, TextureObject> textures; ///< surfaces among them
    std::map<cudaMemPool_t, std::map<cudaMemPoolAttr, std::uint64_t>> pools;
    std::map<cudaGraph_t, std::unique_ptr<Graph>> graphs;
    std::set<const void*> graph_memory; ///< what graphs allocate: at one address in every launch, so it stays
    std::map<cudaGraphExec_t, ExecutableGraph> executable_graphs;
    std::map<recipe::StreamId, std::shared_ptr<Capture>> captures; ///< by each stream that takes part
    std::map<cudaStream_t, Stream> streams;                        ///< those that host code created
    std::map<cudaEvent_t, Event> events;
    std::map<cudaLimit, std::size_t> limits;
    unsigned device_flags = 0;
    recipe::StreamId next_stream = 1;
    recipe::EventId next_event = 0;
    recipe::ArrayId next_array = 0;
    recipe::TextureId next_texture = 0;

    [[nodiscard]] int attribute(CUdevice_attribute which) const { return hello.device.attributes.at(which); }

    /// The stream behind a handle, the legacy and the per-thread default stream among them; nothing for an unknown one.
    [[nodiscard]] std::optional<recipe::StreamId> stream(cudaStream_t handle);
    /// Nothing if there are too many streams.
    [[nodiscard]] std::optional<recipe::StreamId> create_stream(bool blocking);

    /// A question that is answered by a number of eight bytes; nothing if it was answered by an error.
    [[nodiscard]] std::optional<std::uint64_t> ask_number(const recipe::Question& question);

    /// Records an operation of the device: what host code changed in shared memory goes before it.
    void device_operation(const recipe::Operation& operation);
    /// Records a launch, after which shared memory is the device's.
    void launch(const recipe::Launch& operation);

    /// Does the work on the stream now or, if the stream is being captured, at each launch of the graph.
    cudaError_t submit(recipe::StreamId stream, cudaGraphNodeType type, Work work);
    /// Whether the capture goes on.
    [[nodiscard]] bool is_capturing(const Capture& capture) const { return captures.contains(capture.origin); }

    /// Says why an error is returned: the error, to be returned.
    cudaError_t refuse(cudaError_t error, const std::string& why);
};

/// The process's recording and its lock. Never destroyed: host code's own destructors may still call CUDA.
[[nodiscard]] Recording& recording();
/// Recursive, since the runtime itself may touch memory whose contents must be fetched.
[[nodiscard]] std::recursive_mutex& recording_lock();

/// Keeps an error for cudaGetLastError() of the calling thread.
cudaError_t remember(cudaError_t error);
[[nodiscard]] cudaError_t& last_error();

/// Does the work of an API function: locked, its error remembered, exceptions kept from host code.
template <typename Work> cudaError_t answer(Work&& work) {
    const std::lock_guard lock(recording_lock());
    try {
        return remember(work(recording()));
    } catch (const std::bad_alloc&) {
        return remember(cudaErrorMemoryAllocation);
    }
}

/// The same for a function that takes a stream.
template <typename Work> cudaError_t answer_on(cudaStream_t handle, Work&& work) {
    return answer([&](Recording& r) {
        const auto stream = r.stream(handle);
        return stream ? work(r, *stream) : r.refuse(cudaErrorInvalidResourceHandle, "a stream that does not exist");
    });
}

/// The same, when the stream is not being captured; else as part of the graph. `work` must hold what it needs by value.
inline cudaError_t submit_on(cudaStream_t handle, cudaGraphNodeType type, Work work) {
    return answer_on(handle,
                     [&](Recording& r, recipe::StreamId stream) { return r.submit(stream, type, std::move(work)); });
}

/// Handles are never dereferenced; these lie in no memory and are none of the default streams.
template <typename Handle> Handle handle_of(std::uint64_t id) {
    constexpr std::uintptr_t first = 0x1000;
    constexpr std::uintptr_t apart = 16;
    return reinterpret_cast<Handle>(first + apart * id); // NOLINT(performance-no-int-to-ptr)
}

} // namespace cudabench::runtime
