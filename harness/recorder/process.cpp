#include "recorder/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace cudabench::recorder {

namespace {

/// What posix_spawn is told. glibc starts the child as vfork does: cheap however large the parent is, and without
/// running the fork handlers of a parent that holds a CUDA context.
class SpawnPlan {
public:
    SpawnPlan() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }

    void give(const Process::Channels& channels) {
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, channels.output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, channels.output, STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, channels.socket, 3);
        posix_spawn_file_actions_adddup2(&actions_, channels.report, 4);
        posix_spawn_file_actions_addclosefrom_np(&actions_, 5);
    }

    void start_clean() {
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    }

    int spawn(pid_t& pid, const char* program, char* const* arguments) const {
        char* environment[] = {nullptr};
        return posix_spawn(&pid, program, &actions_, &attributes_, arguments, environment);
    }

private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

} // namespace

Expected<Process, Failure> Process::start(const std::filesystem::path& program,
                                          const std::vector<std::string>& arguments, const Channels& channels) {
    std::string name = program.string();
    std::vector<std::string> words = arguments;
    std::vector<char*> argv{name.data()};
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    SpawnPlan plan;
    plan.give(channels);
    plan.start_clean();
    pid_t pid = -1;
    if (const int error = plan.spawn(pid, name.c_str(), argv.data()); error != 0)
        return Failure{Stage::fault, "cannot start the recorder " + name + ": " + std::strerror(error)};
    // The child is not reaped yet, so the number is still its own.
    Descriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    if (!pidfd) {
        const int error = errno;
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
        return Failure{Stage::fault, std::string("cannot watch the recorder: ") + std::strerror(error)};
    }
    return Process(pid, std::move(pidfd));
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)), exit_(other.exit_) {}

Process::~Process() {
    if (pid_ > 0)
        end();
}

Exit Process::end() {
    if (exit_)
        return *exit_;
    // By descriptor: where children are reaped unasked (SIGCHLD ignored), the number may be another's by now.
    syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
    siginfo_t info{};
    info.si_code = CLD_EXITED;
    while (waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED) != 0 && errno == EINTR) {
    }
    exit_ = Exit{info.si_code != CLD_EXITED, info.si_status};
    return *exit_;
}

std::uint64_t Process::resident_bytes() const {
    const Descriptor file(open(("/proc/" + std::to_string(pid_) + "/statm").c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 128> text{};
    if (!file || read(file.get(), text.data(), text.size() - 1) <= 0)
        return 0;
    char* resident = std::strchr(text.data(), ' ');
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return resident ? std::strtoull(resident, nullptr, 10) * page : 0;
}

std::size_t Process::threads() const {
    struct Close {
        void operator()(DIR* directory) const { closedir(directory); }
    };
    const std::unique_ptr<DIR, Close> tasks(opendir(("/proc/" + std::to_string(pid_) + "/task").c_str()));
    std::size_t count = 0;
    while (const dirent* entry = tasks ? readdir(tasks.get()) : nullptr)
        count += entry->d_name[0] != '.' ? 1 : 0;
    return count;
}

} // namespace cudabench::recorder
