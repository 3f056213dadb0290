#pragma once

#include <filesystem>
#include <string>

namespace cudabench::compile {

/// The bytes of a regular file of at most 16 MiB; a link as its last part is not followed, and nothing is waited for (a
/// pipe, /dev/zero). Throws std::runtime_error, whose text names the file.
[[nodiscard]] std::string source_bytes(const std::filesystem::path& path);

} // namespace cudabench::compile
