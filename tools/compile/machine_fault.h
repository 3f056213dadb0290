#pragma once

#include "compile/arguments.h"
#include "compile/process.h"

#include <filesystem>
#include <string>

namespace cudabench::compile {

/// Why the failure of a compilation or link may be the machine's and not the candidate's: the compiler cannot be
/// started, or there is no room or no leave to write. Compilers tell a full disk in many ways, most of which look like
/// an error of the source; what they say is no evidence either, since a source can make them say anything. So the
/// places are looked at: `temporary`, and where the output and the record go. Empty: it is the candidate's.
[[nodiscard]] std::string machine_fault(const Finished& finished, const Arguments& arguments,
                                        const std::filesystem::path& temporary);

} // namespace cudabench::compile
