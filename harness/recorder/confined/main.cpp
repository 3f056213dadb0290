#include "recorder/confined/confinement.h"
#include "recorder/confined/last_words.h"
#include "recorder/report.h"
#include "runtime/session.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

/// cudabench_recorder <module> safe|unsafe: runs one call of a candidate's host code, confined, against the recording
/// runtime. Started by record() only (recorder/record.h), with a socket as descriptor 3 and a pipe as descriptor 4.
namespace cudabench::recorder {
namespace {

constexpr int socket_descriptor = 3;

using Function = void (*)(void* const* buffers, const long long* dims, const double* params);

[[noreturn]] void fail(std::string_view what) {
    report(failed_word, what);
    _exit(EXIT_FAILURE);
}

Function load(const char* module, const char* function) {
    void* library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail(std::string("cannot load the candidate: ") + dlerror());
    void* symbol = dlsym(library, function);
    if (!symbol)
        fail(std::string("cannot load the candidate: it has no function ") + function);
    return reinterpret_cast<Function>(symbol);
}

void call(Function function, const recipe::Call& call) {
    std::vector<void*> buffers;
    for (const recipe::Buffer& buffer : call.buffers)
        buffers.push_back(std::bit_cast<void*>(buffer.address));
    const std::vector<long long> dims(call.dims.begin(), call.dims.end());
    function(buffers.data(), dims.data(), call.params.data());
}

/// Useless to a candidate without a GPU, but a reader of the result should know.
void report_driver() {
    for (const char* driver : {"libcuda.so.1", "libcuda.so"})
        if (dlopen(driver, RTLD_NOW | RTLD_NOLOAD))
            return report(note_word, "host code loaded libcuda.so.1");
}

/// The process that made the socket.
pid_t parent() {
    ucred maker{};
    socklen_t length = sizeof(maker);
    getsockopt(socket_descriptor, SOL_SOCKET, SO_PEERCRED, &maker, &length);
    return maker.pid;
}

/// A parent that was gone before confine() asked for a signal at its end sends none. The socket need not be closed
/// then: processes that it was just starting have copies of it.
void end_without(pid_t parent) {
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
}

int run(const char* module, bool unsafe) {
    const pid_t parent = recorder::parent();
    const auto hello = runtime::begin(socket_descriptor);
    if (const auto refusal = confine(module)) {
        report(unconfined_word, *refusal);
        if (!unsafe)
            return EXIT_FAILURE;
    } else {
        report(confined_word);
    }
    end_without(parent);
    report_last_words();
    call(load(module, hello.function.c_str()), hello);
    report_driver();
    std::fflush(nullptr);
    runtime::finish();
    // The executor looks whether host code has left threads behind, and kills this process: what host code has
    // registered for its end never runs.
    for (;;)
        pause();
}

} // namespace
} // namespace cudabench::recorder

int main(int argc, char** argv) {
    if (argc != 3)
        return EXIT_FAILURE;
    return cudabench::recorder::run(argv[1], std::string_view(argv[2]) == "unsafe");
}
