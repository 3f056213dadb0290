#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace cudabench::device_code {

/// The bytes of a file. Failure of stage fault: it cannot be read.
[[nodiscard]] Expected<std::vector<std::byte>, Failure> read_file(const std::filesystem::path& path);

} // namespace cudabench::device_code
