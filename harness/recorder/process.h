#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recorder/descriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace cudabench::recorder {

/// How a process ended.
struct Exit {
    bool killed = false; ///< by a signal
    int code = 0;        ///< the signal, or the exit code
};

/// A child process in a session of its own, with an empty environment, /dev/null as stdin, and no descriptor but
/// those named. Killed and reaped at the latest by the destructor.
class Process {
public:
    struct Channels {
        int output = -1; ///< becomes stdout and stderr
        int socket = -1; ///< becomes descriptor 3
        int report = -1; ///< becomes descriptor 4
    };

    /// Failure of stage fault if the program cannot be started. No fork handler of this process runs.
    static Expected<Process, Failure> start(const std::filesystem::path& program,
                                            const std::vector<std::string>& arguments, const Channels& channels);

    Process(Process&& other) noexcept;
    Process& operator=(Process&&) = delete;
    ~Process();

    /// Readable once the process has ended.
    [[nodiscard]] int ended() const { return pidfd_.get(); }
    /// Kills the process if it still runs, and reaps it. How it ended, also when called again.
    Exit end();

    [[nodiscard]] std::uint64_t resident_bytes() const; ///< 0 if it has ended
    [[nodiscard]] std::size_t threads() const;          ///< 0 if it has ended

private:
    Process(pid_t pid, Descriptor pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

    pid_t pid_ = -1;
    Descriptor pidfd_;
    std::optional<Exit> exit_;
};

} // namespace cudabench::recorder
