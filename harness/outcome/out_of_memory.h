#pragma once

#include <cstdint>

namespace cudabench {

/// How many processes the kernel has ended for lack of memory: of this process's control group, else of the machine. 0
/// if it does not tell. One more while a candidate's process was killed: it may be the machine's fault.
[[nodiscard]] std::uint64_t ended_for_memory();

} // namespace cudabench
