#pragma once

namespace cudabench::recorder {

/// The name of a system call of this machine, e.g. "fork"; nullptr if it was unknown where the recorder was built.
[[nodiscard]] const char* system_call_name(int number);

} // namespace cudabench::recorder
