#pragma once

#include "compile/arguments.h"
#include "compile/process.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cudabench::compile {

/// Where a compilation or link writes: `temporary`, and where the output and the record go.
[[nodiscard]] std::vector<std::filesystem::path> written_folders(const Arguments& arguments,
                                                                 const std::filesystem::path& temporary);

/// What lacks in one of them for a compiler to write, in words: room, or leave. Empty: nothing.
[[nodiscard]] std::string lack_of_room(const std::vector<std::filesystem::path>& folders);

/// Why the failure of a compilation or link may be the machine's and not the candidate's: the compiler cannot be
/// started, memory ran out, or there is no room or no leave to write. Compilers tell a full disk in many ways, most of
/// which look like an error of the source; what they say is no evidence either, since a source can make them say
/// anything. So `lack` counts, what lack_of_room() found at any time while the compiler ran. Empty: it is the
/// candidate's.
[[nodiscard]] std::string machine_fault(const Finished& finished, const std::string& lack,
                                        const std::vector<std::filesystem::path>& folders);

} // namespace cudabench::compile
