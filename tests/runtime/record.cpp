#include "record.h"

#include "device/described.h"
#include "recipe/wire.h"
#include "runtime/session.h"

#include <cstdio>
#include <dlfcn.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cudabench::runtime {

namespace {

[[noreturn]] void record_in_child(const std::string& candidate, int socket) {
    const auto& call = begin(socket);
    void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* function = library ? dlsym(library, call.function.c_str()) : nullptr;
    if (!function) {
        std::fprintf(stderr, "%s\n", dlerror());
        _exit(1);
    }
    std::vector<void*> buffers;
    for (const auto& buffer : call.buffers)
        buffers.push_back(reinterpret_cast<void*>(buffer.address));
    const std::vector<long long> dims(call.dims.begin(), call.dims.end());
    reinterpret_cast<void (*)(void* const*, const long long*, const double*)>(function)(buffers.data(), dims.data(),
                                                                                        call.params.data());
    finish();
    _exit(0);
}

template <typename Value> Value required(Expected<Value, Failure> value) {
    if (!value)
        throw std::runtime_error(value.error().message);
    return std::move(*value);
}

void listen(int socket, const Answers& answers, Recorded& recorded) {
    while (const auto frame = recipe::read_frame(socket)) {
        switch (frame->kind) {
        case recipe::FrameKind::operation:
            recorded.operations.push_back(required(recipe::decode_operation(frame->payload)));
            break;
        case recipe::FrameKind::question: {
            const auto question = required(recipe::decode_question(frame->payload));
            if (const auto* copy = std::get_if<recipe::CopyToHost>(&question))
                recorded.operations.emplace_back(*copy);
            if (const auto* texture = std::get_if<recipe::CreateTexture>(&question))
                recorded.operations.emplace_back(*texture);
            const auto reply = recipe::encode_frame(recipe::FrameKind::answer, recipe::encode(answers(question)));
            required(recipe::write_all(socket, reply));
            break;
        }
        case recipe::FrameKind::note: recorded.notes.push_back(recipe::decode_text(frame->payload)); break;
        case recipe::FrameKind::unsupported: recorded.unsupported = recipe::decode_text(frame->payload); break;
        case recipe::FrameKind::done: recorded.done = true; break;
        default: throw std::runtime_error("a frame that the recorder does not send");
        }
    }
}

} // namespace

std::vector<int> Recorded::observed() const {
    std::vector<int> values;
    for (const auto& launch : all<recipe::Launch>())
        if (launch.kernel == "_Z7observei")
            values.push_back(static_cast<int>(integer(launch.arguments.at(0))));
    return values;
}

recipe::Hello some_hello() {
    recipe::Hello hello;
    hello.device = device::h200();
    hello.workspace = {0x210000000000, std::uint64_t{4} << 30, std::uint64_t{64} << 30, std::uint64_t{2} << 20};
    hello.free_memory = std::uint64_t{100} << 30;
    hello.call.buffers = {{0x200000000000, 1 << 20, false}, {0x200000400000, 1 << 20, true}};
    hello.call.dims = {1024};
    hello.call.params = {0.5};
    return hello;
}

Recorded record(const std::string& candidate, const recipe::Hello& hello, const Answers& answers) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        throw std::runtime_error("no socket");
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        record_in_child(candidate, ends[1]);
    }
    close(ends[1]);
    Recorded recorded;
    required(recipe::write_all(ends[0], recipe::encode_frame(recipe::FrameKind::hello, recipe::encode(hello))));
    listen(ends[0], answers, recorded);
    close(ends[0]);
    waitpid(child, &recorded.exit_status, 0);
    return recorded;
}

std::uint64_t integer(const std::vector<std::byte>& bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size() && i < sizeof(value); ++i)
        value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    return value;
}

} // namespace cudabench::runtime
