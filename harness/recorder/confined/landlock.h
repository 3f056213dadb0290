#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace cudabench::recorder {

/// By Landlock: from now on this process can read `module`, the system's library folders and the loader's cache, and
/// can open nothing else; TCP, abstract sockets and signals to processes outside are denied as far as the kernel
/// knows how. Returns what failed.
[[nodiscard]] std::optional<std::string> restrict_files(const std::filesystem::path& module);

} // namespace cudabench::recorder
