#pragma once

#include <string>

namespace cudabench {

/// Runs this executable again for one test alone, its output discarded, and waits for it. Returns its exit code, or
/// 128 + the signal that ended it. A process with a device fault or an endless kernel is lost, so that several selected
/// cases must not share one.
int run_case_process(const std::string& test);

} // namespace cudabench
