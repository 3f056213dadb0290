#pragma once

#include "outcome/expected.h"
#include "outcome/failure.h"

#include <filesystem>
#include <string>

namespace cudabench {

/// The text of a compile record whose compilation and link succeeded, or the failure that it tells of: `not_built` if
/// there is none, `compile` or `contract` with the diagnostics, `fault` if the file is corrupt.
[[nodiscard]] Expected<std::string, Failure> read_compile_record(const std::filesystem::path& path);

} // namespace cudabench
