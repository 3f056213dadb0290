#pragma once

#include <filesystem>
#include <string>

namespace cudabench {

/// The text of the file, whatever it holds; empty if there is none.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);

} // namespace cudabench
