#include "compile/process.h"

#include "compile/descriptor.h"
#include "outcome/out_of_memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cudabench::compile {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int exit_cannot_start = 127;

[[noreturn]] void throw_errno(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

sigset_t watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, signal);
    return set;
}

/// Signals are blocked while this object lives, so that they can be read from a signalfd.
class Blocked {
public:
    explicit Blocked(const sigset_t& signals) { sigprocmask(SIG_BLOCK, &signals, &before_); }
    Blocked(const Blocked&) = delete;
    Blocked& operator=(const Blocked&) = delete;
    ~Blocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

void limit(__rlimit_resource resource, rlim_t value) {
    rlimit current{};
    getrlimit(resource, &current);
    const rlim_t allowed = std::min(value, current.rlim_max);
    const rlimit wanted = {allowed, allowed};
    if (setrlimit(resource, &wanted) != 0)
        throw_errno("setrlimit");
}

void apply(const Limits& limits) {
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.deadline)));
    limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_FSIZE, limits.file_bytes);
    limit(RLIMIT_CORE, 0);
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (const std::string& word : words)
        pointers.push_back(const_cast<char*>(word.c_str())); // execvpe takes char* const* but changes nothing
    pointers.push_back(nullptr);
    return pointers;
}

void say(int to, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
        [[maybe_unused]] const auto written = write(to, part.data(), part.size());
    }
}

[[noreturn]] void become(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                         const std::optional<Access>& access, const Limits& limits, int output, int not_started) {
    try {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const sigset_t watched = watched_signals();
        sigprocmask(SIG_UNBLOCK, &watched, nullptr);
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
            throw_errno("dup2");
        if (access)
            confine(*access);
        const std::vector<char*> words = pointers_to(command);
        const std::vector<char*> variables = pointers_to(environment);
        // From here on without the heap: under a sanitizer we have far more address space than the command may have.
        apply(limits);
        execvpe(command.front().c_str(), words.data(), variables.data());
        say(not_started, {"cannot start ", command.front(), ": ", std::strerror(errno)});
    } catch (const std::exception& error) {
        say(not_started, {"cannot start ", error.what()});
    }
    _exit(exit_cannot_start);
}

/// Ends every process that came to us as the subreaper, whatever group or session it moved to.
void end_descendants() {
    for (;;) {
        std::ifstream children("/proc/thread-self/children");
        std::for_each(std::istream_iterator<pid_t>(children), {}, [](pid_t child) { kill(child, SIGKILL); });
        if (wait(nullptr) < 0 && errno != EINTR)
            return;
    }
}

/// What `become` says through a pipe that a started program does not have.
std::string why_not_started(int source) {
    std::array<char, 4096> buffer{};
    const ssize_t count = read(source, buffer.data(), buffer.size());
    return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

class Output {
public:
    Output(Finished& finished, std::size_t capacity) : finished_(finished), capacity_(capacity) {}

    /// Returns whether there may be more.
    bool read_some(int source) {
        std::array<char, 65536> buffer{};
        const ssize_t count = read(source, buffer.data(), buffer.size());
        if (count <= 0)
            return count < 0 && errno == EINTR;
        const std::size_t kept = std::min(static_cast<std::size_t>(count), capacity_ - finished_.output.size());
        finished_.output.append(buffer.data(), kept);
        finished_.output_truncated |= kept < static_cast<std::size_t>(count);
        return true;
    }

private:
    Finished& finished_;
    std::size_t capacity_;
};

int milliseconds_until(Clock::time_point end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

/// Whether the child has ended; throws Interrupted if the signal was for us.
bool ended(int signals) {
    signalfd_siginfo information{};
    if (read(signals, &information, sizeof information) != static_cast<ssize_t>(sizeof information))
        return false;
    if (information.ssi_signo != SIGCHLD)
        throw Interrupted{static_cast<int>(information.ssi_signo)};
    return true;
}

/// Reads output until `child` has ended. False at the deadline.
bool wait_for(pid_t child, int signals, int source, Clock::time_point end, Output& output) {
    bool open = true;
    for (;;) {
        std::array<pollfd, 2> watched = {pollfd{signals, POLLIN, 0}, pollfd{open ? source : -1, POLLIN, 0}};
        const int left = milliseconds_until(end);
        if (left == 0)
            return false;
        if (poll(watched.data(), watched.size(), left) < 0 && errno != EINTR)
            throw_errno("poll");
        if (watched[1].revents != 0)
            open = output.read_some(source);
        siginfo_t state{};
        if (watched[0].revents != 0 && ended(signals) &&
            waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOHANG | WNOWAIT) == 0 && state.si_pid == child)
            return true;
    }
}

/// What the pipe still holds, without waiting for writers that outlive the child.
void drain(int source, Output& output) {
    fcntl(source, F_SETFL, O_NONBLOCK);
    while (output.read_some(source)) {
    }
}

} // namespace

Finished run(const std::vector<std::string>& command, const std::vector<std::string>& environment,
             const std::optional<Access>& access, const Limits& limits) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const sigset_t watched = watched_signals();
    const Blocked blocked(watched);
    const Descriptor signals(signalfd(-1, &watched, SFD_CLOEXEC));
    std::array<int, 2> ends{};
    std::array<int, 2> start_ends{};
    if (signals.number() < 0 || pipe2(ends.data(), O_CLOEXEC) != 0 || pipe2(start_ends.data(), O_CLOEXEC) != 0)
        throw_errno("pipe");
    const Descriptor source(ends[0]);
    Descriptor sink(ends[1]);
    const Descriptor start_source(start_ends[0]);
    Descriptor start_sink(start_ends[1]);

    const std::uint64_t ended_before = ended_for_memory();
    const auto start = Clock::now();
    const auto end =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.deadline));
    const pid_t child = fork();
    if (child < 0)
        throw_errno("fork");
    if (child == 0)
        become(command, environment, access, limits, sink.number(), start_sink.number());
    setpgid(child, child); // also here: the child may not have run yet when the group is signalled
    sink.reset();
    start_sink.reset();

    Finished finished;
    Output output(finished, limits.output_bytes);
    bool in_time = false;
    try {
        in_time = wait_for(child, signals.number(), source.number(), end, output);
    } catch (const Interrupted&) {
        kill(-child, SIGKILL);
        end_descendants();
        throw;
    }
    kill(-child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    end_descendants();
    drain(source.number(), output);

    finished.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    rusage descendants{};
    getrusage(RUSAGE_CHILDREN, &descendants);
    finished.max_rss = std::int64_t{descendants.ru_maxrss} * 1024;
    finished.memory_lacked = ended_for_memory() > ended_before;
    finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    if (!in_time)
        finished.how = Finished::How::deadline;
    else
        finished.how = WIFEXITED(status) ? Finished::How::exited : Finished::How::killed;
    if (std::string why = why_not_started(start_source.number()); !why.empty()) {
        finished.how = Finished::How::not_started;
        finished.output = std::move(why);
    }
    return finished;
}

} // namespace cudabench::compile
