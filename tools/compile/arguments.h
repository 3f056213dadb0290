#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace cudabench::compile {

enum class Mode {
    build_error, ///< a failure is the build's: its output and exit status pass through
    record,      ///< a failure is only recorded: a placeholder is produced and the build goes on
};

struct Arguments {
    std::filesystem::path record;
    std::filesystem::path source;      ///< the candidate's own file, which the compiled wrapper includes
    std::filesystem::path source_name; ///< by which the wrapper includes it: the same, or a link to it
    std::string source_folder;         ///< for a link: the include directory that leads to the source's folder
    Mode mode = Mode::build_error;
    double deadline = 300; ///< seconds
    bool link = false;     ///< the command links what an earlier call compiled
    std::vector<std::string> command;
};

/// The command line is not understood. what() says how it should be.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

extern const char* const usage;

/// --linked-source is for a source whose own path a build system cannot take: a link `candidate.cu` to it, with a link
/// `folder` to its folder beside. Throws UsageError.
[[nodiscard]] Arguments parse_arguments(const std::vector<std::string>& words);

} // namespace cudabench::compile
