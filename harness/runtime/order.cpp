#include "runtime/recording.h"

#include <algorithm>

/// Streams, events and waiting: the order in which the device works, as host code asks for it.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;
using Scope = recipe::Synchronize::Scope;

namespace {

// As the H200 answers; lower is more urgent.
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority) {
    return answer([&](Recording& r) {
        if (!stream || flags > cudaStreamNonBlocking)
            return cudaErrorInvalidValue;
        const auto id = r.create_stream(flags != cudaStreamNonBlocking);
        if (!id)
            return r.refuse(cudaErrorMemoryAllocation, "too many streams");
        *stream = handle_of<cudaStream_t>(*id);
        r.streams[*stream] = {*id, flags, std::clamp(priority, greatest_priority, least_priority)};
        return cudaSuccess;
    });
}

cudaError_t create_event(cudaEvent_t* event, unsigned flags) {
    return answer([&](Recording& r) {
        constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (!event || (flags & ~known) != 0)
            return cudaErrorInvalidValue;
        if ((flags & cudaEventInterprocess) != 0)
            r.link.unsupported("cudaEventCreateWithFlags with cudaEventInterprocess");
        if (r.next_event >= r.hello.limits.events)
            return r.refuse(cudaErrorMemoryAllocation, "too many events");
        *event = handle_of<cudaEvent_t>(r.next_event);
        r.events[*event] = {r.next_event++, flags, false, nullptr};
        return cudaSuccess;
    });
}

template <typename Work> cudaError_t with_event(cudaEvent_t handle, Work&& work) {
    return answer([&](Recording& r) {
        const auto event = r.events.find(handle);
        return event == r.events.end() ? r.refuse(cudaErrorInvalidResourceHandle, "an event that does not exist")
                                       : work(r, event->second);
    });
}

cudaError_t wait_for_stream(cudaStream_t stream) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        if (r.captures.contains(id))
            return r.refuse(cudaErrorStreamCaptureUnsupported, "waiting for a stream that is being captured");
        r.link.operation(recipe::Synchronize{Scope::stream, id});
        return cudaSuccess;
    });
}

cudaError_t wait_for_event(cudaEvent_t event) {
    return with_event(event, [&](Recording& r, const Event& e) {
        if (e.captured && r.is_capturing(*e.captured))
            return r.refuse(cudaErrorStreamCaptureUnsupported, "waiting for an event of a capture");
        if (e.recorded)
            r.link.operation(recipe::Synchronize{Scope::event, e.id});
        return cudaSuccess;
    });
}

} // namespace

cudaError_t cudaDeviceSynchronize() {
    return answer([&](Recording& r) {
        if (!r.captures.empty())
            return r.refuse(cudaErrorStreamCaptureUnsupported, "waiting for the device while a stream is captured");
        r.link.operation(recipe::Synchronize{Scope::device, 0});
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceReset() {
    return answer([&](Recording& r) {
        r.link.operation(recipe::Synchronize{Scope::device, 0});
        r.captures.clear();
        r.streams.clear();
        r.events.clear();
        return cudaSuccess;
    });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return create_stream(stream, cudaStreamDefault, least_priority);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return create_stream(stream, flags, least_priority);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return create_stream(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return answer([&](Recording& r) {
        return r.streams.erase(stream) == 1
                   ? cudaSuccess
                   : r.refuse(cudaErrorInvalidResourceHandle, "destruction of a stream that does not exist");
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return wait_for_stream(stream);
}

// A recording cannot know when work ends: the answer is always that it has, and what follows comes after it.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return wait_for_stream(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        const auto found = r.events.find(event);
        if (found == r.events.end())
            return r.refuse(cudaErrorInvalidResourceHandle, "a wait for an event that does not exist");
        if (!found->second.recorded)
            return cudaSuccess;
        // A stream that waits for an event of a capture takes part in it.
        const auto& capture = found->second.captured;
        if (capture && r.is_capturing(*capture) && !r.captures.contains(id))
            r.captures[id] = capture;
        return r.submit(id, cudaGraphNodeTypeWaitEvent,
                        [waited = found->second.id](Recording& later, recipe::StreamId its) {
                            later.link.operation(recipe::WaitEvent{its, waited});
                            return cudaSuccess;
                        });
    });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId) {
        const auto found = r.streams.find(stream);
        *flags = found == r.streams.end() ? cudaStreamDefault : found->second.flags;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId) {
        const auto found = r.streams.find(stream);
        *priority = found == r.streams.end() ? least_priority : found->second.priority;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* number) {
    return answer_on(stream, [&](Recording&, recipe::StreamId id) {
        if (!number)
            return cudaErrorInvalidValue;
        *number = id;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
    return answer_on(stream, [&](Recording&, recipe::StreamId) {
        if (!device)
            return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

// Attributes of streams are hints: which lines of the L2 cache to keep, how to wait, priorities.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue*) {
    return answer_on(stream, [](Recording&, recipe::StreamId) { return cudaSuccess; });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID, cudaStreamAttrValue* value) {
    return answer_on(stream, [&](Recording&, recipe::StreamId) {
        if (!value)
            return cudaErrorInvalidValue;
        *value = {};
        return cudaSuccess;
    });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return answer_on(to, [&](Recording& r, recipe::StreamId) {
        return r.stream(from) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least)
        *least = least_priority;
    if (greatest)
        *greatest = greatest_priority;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return create_event(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return create_event(event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return with_event(event, [&](Recording& r, const Event&) {
        r.events.erase(event);
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return answer_on(stream, [&](Recording& r, recipe::StreamId id) {
        const auto found = r.events.find(event);
        if (found == r.events.end())
            return r.refuse(cudaErrorInvalidResourceHandle, "a record of an event that does not exist");
        found->second.recorded = true;
        const auto capture = r.captures.find(id);
        found->second.captured = capture == r.captures.end() ? nullptr : capture->second;
        return r.submit(id, cudaGraphNodeTypeEventRecord,
                        [recorded = found->second.id](Recording& later, recipe::StreamId its) {
                            later.link.operation(recipe::RecordEvent{its, recorded});
                            return cudaSuccess;
                        });
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return wait_for_event(event);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return wait_for_event(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    // People time themselves: the number decides nothing, but programs divide by it.
    constexpr float some_time = 0.01F;
    return answer([&](Recording& r) {
        if (!milliseconds)
            return cudaErrorInvalidValue;
        for (const cudaEvent_t event : {start, end}) {
            const auto found = r.events.find(event);
            if (found == r.events.end() || !found->second.recorded ||
                (found->second.flags & cudaEventDisableTiming) != 0)
                return r.refuse(cudaErrorInvalidResourceHandle, "the time of an event that holds none");
        }
        *milliseconds = some_time;
        return cudaSuccess;
    });
}
