#include "runtime/recording.h"

#include "runtime/session.h"

namespace cudabench::runtime {

namespace {

/// The default stream of its own that each thread has under --default-stream per-thread.
std::optional<recipe::StreamId>& per_thread_stream() {
    thread_local std::optional<recipe::StreamId> stream;
    return stream;
}

} // namespace

std::optional<recipe::StreamId> Recording::stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy)
        return 0;
    if (handle == cudaStreamPerThread) {
        auto& stream = per_thread_stream();
        if (!stream)
            stream = create_stream(true);
        return stream;
    }
    const auto found = streams.find(handle);
    return found == streams.end() ? std::nullopt : std::optional(found->second.id);
}

std::optional<recipe::StreamId> Recording::create_stream(bool blocking) {
    if (next_stream >= hello.limits.streams)
        return std::nullopt;
    link.operation(recipe::CreateStream{next_stream, blocking});
    return next_stream++;
}

cudaError_t Recording::refuse(cudaError_t error, const std::string& why) {
    link.note(std::string(cudaGetErrorName(error)) + ": " + why);
    return error;
}

Recording& recording() {
    static Recording& only = *new Recording;
    return only;
}

std::mutex& recording_lock() {
    static std::mutex& only = *new std::mutex;
    return only;
}

cudaError_t& last_error() {
    thread_local cudaError_t error = cudaSuccess;
    return error;
}

cudaError_t remember(cudaError_t error) {
    if (error != cudaSuccess)
        last_error() = error;
    return error;
}

const recipe::Call& begin(int socket) {
    const std::lock_guard lock(recording_lock());
    Recording& r = recording();
    r.link.open(socket);
    r.hello = r.link.read_hello();
    r.memory.open(r.hello);
    return r.hello.call;
}

void finish() {
    const std::lock_guard lock(recording_lock());
    recording().link.done();
}

} // namespace cudabench::runtime
