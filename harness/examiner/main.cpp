#include "case/cpu_grading.h"
#include "examiner/examiner.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace cudabench::examiner {
namespace {

constexpr const char* usage = "usage: cudabench_examiner --tasks FILE\n"
                              "Answers one request a line of standard input with a line each; see "
                              "harness/examiner/examiner.h. The first line says\n"
                              "that it is ready, and on what. CUDABENCH_EXECUTOR: auto, gpu or cpu.\n";
constexpr int exit_usage = 2;
constexpr int exit_fault = 4;

/// Answers go to a descriptor that nothing else knows: standard output becomes standard error.
std::FILE* take_standard_output() {
    std::FILE* const replies = ::fdopen(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w");
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return replies;
}

/// False if nobody reads any more.
bool say(std::FILE* replies, const std::string& line) {
    return std::fputs((line + "\n").c_str(), replies) >= 0 && std::fflush(replies) == 0;
}

/// None where there is no GPU or the CPU is asked for. Throws std::runtime_error where one is asked for in vain.
std::unique_ptr<gpu::Executor> executor() {
    const auto choice = executor_choice();
    if (!choice)
        throw std::runtime_error(choice.error().message);
    if (*choice == ExecutorChoice::cpu)
        return nullptr;
    auto created = gpu::Executor::create();
    if (created)
        return std::move(*created);
    if (*choice == ExecutorChoice::gpu || created.error().stage != Stage::not_run)
        throw std::runtime_error(created.error().message);
    return nullptr;
}

int run(const char* tasks) {
    std::signal(SIGPIPE, SIG_IGN);
    try {
        std::FILE* const replies = take_standard_output();
        const std::unique_ptr<gpu::Executor> gpu = executor();
        Examiner examiner(tasks, gpu.get());
        const nlohmann::json ready = {{"ready", true}, {"device", gpu ? gpu->description().name : "CPU"}};
        bool heard = say(replies, ready.dump());
        std::string line;
        while (heard && std::getline(std::cin, line))
            heard = say(replies, examiner.reply(line));
        // A lost CUDA context would hang in its destructors, and an intact one needs none.
        std::fflush(nullptr);
        ::_exit(0);
    } catch (const std::exception& error) {
        fmt::print(stderr, "cudabench_examiner: {}\n", error.what());
        return exit_fault;
    }
}

} // namespace
} // namespace cudabench::examiner

int main(int argc, char** argv) {
    if (argc != 3 || std::string_view(argv[1]) != "--tasks") {
        fmt::print(stderr, "{}", cudabench::examiner::usage);
        return cudabench::examiner::exit_usage;
    }
    return cudabench::examiner::run(argv[2]);
}
