#pragma once

#include "compile/confinement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudabench::compile {

struct Limits {
    double deadline = 300;                               ///< wall-clock seconds of the whole process group
    std::uint64_t memory_bytes = std::uint64_t{6} << 30; ///< address space of one process
    std::uint64_t file_bytes = std::uint64_t{1} << 30;   ///< of one written file
    std::size_t output_bytes = std::size_t{1} << 20;     ///< what is kept of its output; the rest is dropped
};

struct Finished {
    enum class How : std::uint8_t { exited, killed, deadline, not_started };
    How how = How::exited;
    int code = 0;               ///< exit status, or the signal
    double seconds = 0;         ///< wall clock
    std::int64_t max_rss = 0;   ///< bytes, of the largest of its processes
    bool memory_lacked = false; ///< the kernel ended processes for lack of memory meanwhile, maybe of these
    std::string output;         ///< stdout and stderr in the order of writing; of one not started, why
    bool output_truncated = false;
};

/// This process itself was told to stop (a signal such as SIGINT); its children have been ended.
struct Interrupted {
    int signal;
};

/// Runs a command in a process group of its own to its end, and ends everything that it leaves behind. `access` empty:
/// not confined. Throws Interrupted, and std::system_error if the command cannot be started.
[[nodiscard]] Finished run(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                           const std::optional<Access>& access, const Limits& limits);

} // namespace cudabench::compile
