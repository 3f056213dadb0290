#pragma once

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cudabench::gpu {

/// A process of its own that takes something, holds it until it is told to end, and gives it back, or is killed.
class Holder {
public:
    /// `take` returns what is held; it is called in the new process.
    template <typename Take> explicit Holder(const Take& take) {
        if (::pipe(taken_.data()) != 0 || ::pipe(end_.data()) != 0)
            throw std::runtime_error("no pipe");
        process_ = ::fork();
        if (process_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            char byte = 0;
            {
                [[maybe_unused]] const auto held = take();
                if (::write(taken_[1], &byte, 1) == 1)
                    holds_ = ::read(end_[0], &byte, 1) == 1;
            }
            ::_exit(0);
        }
        ::close(taken_[1]);
        ::close(end_[0]);
    }
    ~Holder() { end(); }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

    /// Whether it holds what it takes, after so many milliseconds at most.
    [[nodiscard]] bool holds_within(int milliseconds) {
        if (holds_)
            return true;
        struct pollfd ready {
            taken_[0], POLLIN, 0
        };
        char byte = 0;
        holds_ = ::poll(&ready, 1, milliseconds) == 1 && ::read(taken_[0], &byte, 1) == 1;
        return holds_;
    }

    /// Lets it give back what it holds.
    void end() { finish(0); }
    void kill() { finish(SIGKILL); }

private:
    void finish(int signal) {
        if (process_ <= 0)
            return;
        char byte = 0;
        if (signal != 0 || !holds_within(0) || ::write(end_[1], &byte, 1) != 1) // one that waits does not listen
            ::kill(process_, SIGKILL);
        ::close(end_[1]);
        ::close(taken_[0]);
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
        }
        process_ = -1;
    }

    std::array<int, 2> taken_{};
    std::array<int, 2> end_{};
    pid_t process_ = -1;
    bool holds_ = false;
};

} // namespace cudabench::gpu
