#pragma once

#include <string_view>

/// What the recorder says of itself on descriptor 4 (recorder/report.h), also from signal handlers.
namespace cudabench::recorder {

inline constexpr int report_descriptor = 4;

/// Writes one line, `word` and `text`, cut to 1,000 characters. Async-signal-safe.
void report(std::string_view word, std::string_view text = {});

/// From now on a crash, an uncaught exception and a forbidden system call are reported before the process ends. To be
/// called from main() on the main thread, of which the stack is known to be 8 MiB at most.
void report_last_words();

} // namespace cudabench::recorder
