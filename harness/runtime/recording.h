#pragma once

#include "runtime/api.h"
#include "runtime/device_memory.h"
#include "runtime/executor_link.h"
#include "runtime/modules.h"

#include <cuda.h>

#include <map>
#include <mutex>
#include <new>
#include <optional>
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
};

/// All that the runtime knows. One a process, behind one lock: answer() is the way in.
struct Recording {
    recipe::Hello hello;
    ExecutorLink link;
    DeviceMemory memory;
    Modules modules;
    std::map<const void*, std::size_t> host_memory; ///< page-locked allocations, bytes of each
    std::map<cudaStream_t, Stream> streams;         ///< those that host code created
    std::map<cudaEvent_t, Event> events;
    std::map<cudaLimit, std::size_t> limits;
    unsigned device_flags = 0;
    recipe::StreamId next_stream = 1;
    recipe::EventId next_event = 0;

    [[nodiscard]] int attribute(CUdevice_attribute which) const { return hello.device.attributes.at(which); }

    /// The stream behind a handle, the legacy and the per-thread default stream among them; nothing for an unknown one.
    [[nodiscard]] std::optional<recipe::StreamId> stream(cudaStream_t handle);
    /// Nothing if there are too many streams.
    [[nodiscard]] std::optional<recipe::StreamId> create_stream(bool blocking);

    /// Says why an error is returned: the error, to be returned.
    cudaError_t refuse(cudaError_t error, const std::string& why);
};

/// The process's recording and its lock. Never destroyed: host code's own destructors may still call CUDA.
[[nodiscard]] Recording& recording();
[[nodiscard]] std::mutex& recording_lock();

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

} // namespace cudabench::runtime
