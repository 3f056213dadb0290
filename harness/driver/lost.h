#pragma once

namespace cudabench::driver {

/// Whether this process has lost its CUDA context to a device fault or an endless kernel. Calls of the driver would
/// then fail or hang, so that owners of handles destroy nothing any more and the process must end by _exit.
[[nodiscard]] bool lost() noexcept;

void set_lost() noexcept;

} // namespace cudabench::driver
