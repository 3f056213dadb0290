#pragma once

#include "compile/arguments.h"

#include <string>
#include <vector>

namespace cudabench::compile {

/// A file that a compilation read.
struct Input {
    std::string path;
    std::string sha256;
};

/// The headers in the folder of the source and below it, and those below the command's include directories (-I) that
/// the compilation read, by the dependency file that it wrote (-MF); none without one. Throws std::runtime_error for
/// one that cannot be read.
[[nodiscard]] std::vector<Input> inputs_of(const Arguments& arguments);

} // namespace cudabench::compile
