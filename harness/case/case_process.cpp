#include "case/case_process.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace cudabench {
namespace {

constexpr int first_signal = 128;

class FileActions {
public:
    FileActions() { posix_spawn_file_actions_init(&actions_); }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;

    posix_spawn_file_actions_t* get() { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

} // namespace

int run_case_process(const std::string& filter, const std::string& option) {
    std::string program = "/proc/self/exe";
    std::string filter_flag = "--gtest_filter=" + filter;
    // Without this the child would overwrite the parent's report.
    std::string no_report = "--gtest_output=";
    std::string more = option;
    std::array<char*, 5> arguments{program.data(), filter_flag.data(), no_report.data(),
                                   more.empty() ? nullptr : more.data(), nullptr};
    FileActions actions;
    posix_spawn_file_actions_addopen(actions.get(), STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error = posix_spawn(&child, program.c_str(), actions.get(), nullptr, arguments.data(), environ);
    if (error != 0)
        throw std::system_error(error, std::generic_category(), "cannot start a case process");
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "cannot wait for a case process");
    return WIFEXITED(status) ? WEXITSTATUS(status) : first_signal + WTERMSIG(status);
}

std::string ending(int code) {
    if (code <= first_signal)
        return fmt::format("ended with {}", code);
    const char* const description = ::sigdescr_np(code - first_signal);
    return fmt::format("was ended by signal {} ({})", code - first_signal,
                       description == nullptr ? "unknown" : description);
}

} // namespace cudabench
