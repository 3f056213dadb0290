#pragma once

#include "compile/arguments.h"

#include <filesystem>
#include <vector>

namespace cudabench::compile {

/// The only files that a compilation may open. A source can ask nvcc for any file (`#include`, `.incbin`), and
/// references, oracles and other people's candidates must not become part of an answer.
struct Access {
    std::vector<std::filesystem::path> readable; ///< files, or directories with all below
    std::vector<std::filesystem::path> writable; ///< directories with all below
    std::vector<std::filesystem::path> own;      ///< files of the candidate, readable; links are not followed
};

/// What the command needs: toolkit, compiler and system headers, the source, the headers beside it and in folders of
/// headers below, the command's own input files and include directories; it may write where its output goes, and to
/// `temporary`.
[[nodiscard]] Access access_of(const Arguments& arguments, const std::filesystem::path& temporary);

/// Whether this kernel has Landlock.
[[nodiscard]] bool confinement_available();

/// Confines this process and its children from now on. Throws std::system_error.
void confine(const Access& access);

} // namespace cudabench::compile
