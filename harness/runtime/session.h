#pragma once

#include "recipe/message.h"

/// What the recorder's main() calls of the recording CUDA runtime (libcudabench_runtime.so), around the candidate's
/// call. Everything else that the library exports is the CUDA runtime's interface.
namespace cudabench::runtime {

/// Exit code of the process after host code called what cannot be recorded; the frame `unsupported` names it.
inline constexpr int unsupported_exit_code = 3;

#pragma GCC visibility push(default)

/// Reads `hello` from the socket, over which everything is reported from then on, and returns the call to make, valid
/// until the process ends. To be called once, before the candidate is loaded. Without a proper hello it prints why to
/// the standard error and ends the process.
const recipe::Call& begin(int socket);

/// Sends what is still buffered, and `done`.
void finish();

#pragma GCC visibility pop

} // namespace cudabench::runtime
