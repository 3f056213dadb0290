#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace cudabench::compile {

/// Looks again and again while a compiler runs whether it has room to write: compilers remove what they wrote when they
/// fail, so that there is more room afterwards than there was.
class RoomWatch {
public:
    /// `look` says what lacks, nothing if there is room. It is called at once and then in a thread of its own, until it
    /// finds a lack.
    explicit RoomWatch(std::function<std::string()> look);
    ~RoomWatch();
    RoomWatch(const RoomWatch&) = delete;
    RoomWatch& operator=(const RoomWatch&) = delete;

    /// Looks for the last time. What lacked first; empty if there always was room.
    [[nodiscard]] std::string stop();

private:
    void watch(const std::stop_token& stopped);

    std::function<std::string()> look_;
    std::string lack_;
    std::mutex mutex_;
    std::condition_variable_any pause_;
    std::jthread thread_;
};

} // namespace cudabench::compile
