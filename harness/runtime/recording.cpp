#include "runtime/recording.h"

#include "runtime/session.h"

#include <cstring>

namespace cudabench::runtime {

namespace {

SharedMemory::Device device_side_of_shared_memory() {
    constexpr recipe::StreamId legacy = 0;
    return {.send =
                [](const recipe::Place& place, const std::byte* bytes, std::uint64_t count) {
                    recording().link.operation(
                        recipe::CopyToDevice{legacy, place, count, {count, 1}, {bytes, bytes + count}});
                },
            .fetch =
                [](const recipe::Place& place, std::byte* bytes, std::uint64_t count) {
                    const auto answer = recording().link.ask(recipe::CopyToHost{legacy, place, count, {count, 1}});
                    if (answer.bytes.size() == count)
                        std::memcpy(bytes, answer.bytes.data(), count);
                    else
                        recording().link.note("shared memory was not answered");
                },
            .sent =
                [] {
                    recording().link.operation(recipe::Synchronize{recipe::Synchronize::Scope::stream, legacy});
                }};
}

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

std::optional<std::uint64_t> Recording::ask_number(const recipe::Question& question) {
    const auto answer = link.ask(question);
    std::uint64_t number = 0;
    if (answer.error != 0 || answer.bytes.size() != sizeof(number))
        return std::nullopt;
    std::memcpy(&number, answer.bytes.data(), sizeof(number));
    return number;
}

void Recording::device_operation(const recipe::Operation& operation) {
    shared.push();
    link.operation(operation);
}

void Recording::launch(const recipe::Launch& operation) {
    // Page-locked memory becomes the kernel's as soon as an argument points into it.
    if (!host_memory.empty())
        for (const auto& argument : operation.arguments)
            for (std::size_t i = 0; i + sizeof(recipe::Address) <= argument.size(); i += sizeof(recipe::Address)) {
                recipe::Address address = 0;
                std::memcpy(&address, argument.data() + i, sizeof(address));
                shared.give_to_kernels(address);
            }
    device_operation(operation);
    shared.launched();
}

cudaError_t Recording::submit(recipe::StreamId stream, cudaGraphNodeType type, Work work) {
    const auto capture = captures.find(stream);
    if (capture == captures.end())
        return work(*this, stream);
    capture->second->graph->add(type, stream, std::move(work));
    return cudaSuccess;
}

cudaError_t Recording::refuse(cudaError_t error, const std::string& why) {
    link.note(std::string(cudaGetErrorName(error)) + ": " + why);
    return error;
}

Recording& recording() {
    static Recording& only = *new Recording;
    return only;
}

std::recursive_mutex& recording_lock() {
    static std::recursive_mutex& only = *new std::recursive_mutex;
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
    r.shared.open(device_side_of_shared_memory());
    return r.hello.call;
}

void finish() {
    const std::lock_guard lock(recording_lock());
    recording().link.done();
}

} // namespace cudabench::runtime
