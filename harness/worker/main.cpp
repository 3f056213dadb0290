#include "worker/worker.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

namespace cudabench::worker {
namespace {

constexpr const char* usage = "usage: cudabench_worker --tasks FILE [--no-gpu]\n"
                              "Grades one case a line of standard input and answers with a line each; see "
                              "docs/grade.md. The first line says that\n"
                              "it is ready. --no-gpu: for what needs none, such as candidates that did not compile.\n";
constexpr int exit_usage = 2;
constexpr int exit_fault = 4;

struct Arguments {
    std::string tasks;
    bool gpu = true;
};

std::optional<Arguments> parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--no-gpu")
            arguments.gpu = false;
        else if (word == "--tasks" && i + 1 < argc)
            arguments.tasks = argv[++i];
        else
            return std::nullopt;
    }
    return arguments.tasks.empty() ? std::nullopt : std::optional(arguments);
}

/// Replies go to a descriptor that nothing else knows: standard output becomes standard error.
std::FILE* take_standard_output() {
    std::FILE* const replies = ::fdopen(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w");
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return replies;
}

/// False if nobody reads any more.
bool say(std::FILE* replies, const std::string& line) {
    return std::fputs((line + "\n").c_str(), replies) >= 0 && std::fflush(replies) == 0;
}

std::string ready(Worker& worker, bool gpu) {
    const std::optional<Failure> failure = gpu ? worker.prepare_gpu() : std::nullopt;
    nlohmann::json line = {{"ready", true}, {"device", nullptr}, {"reason", failure ? failure->message : ""}};
    if (const auto device = worker.device())
        line["device"] = *device;
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

int main(int argc, char** argv) {
    const auto arguments = parse(argc, argv);
    if (!arguments) {
        fmt::print(stderr, "{}", usage);
        return exit_usage;
    }
    std::signal(SIGPIPE, SIG_IGN);
    try {
        std::FILE* const replies = take_standard_output();
        Worker worker(arguments->tasks);
        std::string line;
        bool heard = say(replies, ready(worker, arguments->gpu));
        while (heard && std::getline(std::cin, line))
            if (const auto reply = worker.reply(line))
                heard = say(replies, *reply);
        // A lost CUDA context would hang in its destructors, and an intact one needs none.
        std::fflush(nullptr);
        ::_exit(0);
    } catch (const std::exception& error) {
        fmt::print(stderr, "cudabench_worker: {}\n", error.what());
        return exit_fault;
    }
}

} // namespace
} // namespace cudabench::worker

int main(int argc, char** argv) {
    return cudabench::worker::main(argc, argv);
}
