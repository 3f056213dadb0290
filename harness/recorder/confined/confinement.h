#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace cudabench::recorder {

/// Takes from this process, for good, all that recording does not need: files but `module` and the system's
/// libraries, devices, the network, new processes, signals to others, privileges. Threads started before would keep
/// theirs, so it is called while there is one. Returns why the process is not confined, if it is not; then whatever
/// could be taken is taken nevertheless.
[[nodiscard]] std::optional<std::string> confine(const std::filesystem::path& module);

} // namespace cudabench::recorder
