#pragma once

#include <string>

namespace cudabench {

/// Runs this executable again for the tests of a GoogleTest filter, its output discarded, and waits for it. Returns its
/// exit code, or 128 + the signal that ended it. A process with a device fault or an endless kernel is lost, so that
/// several graded cases must not share one. `option`: of the program, if not empty.
int run_case_process(const std::string& filter, const std::string& option = "");

/// For a sentence about a process of that code: "ended with 4", "was ended by signal 9 (Killed)".
[[nodiscard]] std::string ending(int code);

} // namespace cudabench
