#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cudabench::compile {

/// The environment for the compiler, as NAME=value: without the variables that would change flags, search paths or the
/// compiler silently, and with TMPDIR. The record then tells the whole command.
[[nodiscard]] std::vector<std::string> scrubbed_environment(const char* const* environment,
                                                            const std::filesystem::path& temporary);

} // namespace cudabench::compile
