#include "compile/room_watch.h"

#include <chrono>
#include <csignal>
#include <utility>

namespace cudabench::compile {
namespace {

/// A disk takes longer to write what must be free.
constexpr std::chrono::milliseconds pause{20};

/// No signal is for a thread that starts while this lives: the command waits for them itself.
class NoSignals {
public:
    NoSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;
    ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

} // namespace

RoomWatch::RoomWatch(std::function<std::string()> look) : look_(std::move(look)), lack_(look_()) {
    const NoSignals none;
    if (lack_.empty())
        thread_ = std::jthread([this](const std::stop_token& stopped) { watch(stopped); });
}

RoomWatch::~RoomWatch() = default; // the thread is the last member, and ends first

std::string RoomWatch::stop() {
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
    return lack_.empty() ? look_() : lack_;
}

void RoomWatch::watch(const std::stop_token& stopped) {
    std::unique_lock lock(mutex_);
    while (lack_.empty() && !stopped.stop_requested()) {
        pause_.wait_for(lock, stopped, pause, [] { return false; });
        lack_ = look_();
    }
}

} // namespace cudabench::compile
