#pragma once

#include <optional>
#include <string>

namespace cudabench::recorder {

/// By seccomp: from now on only the system calls that ordinary computing needs (memory, threads of this process, time,
/// reading files, its own descriptors) are carried out. Any other raises SIGSYS in the thread that made it, and is not
/// carried out whatever the handler of that signal does. Returns what failed.
[[nodiscard]] std::optional<std::string> filter_system_calls();

} // namespace cudabench::recorder
