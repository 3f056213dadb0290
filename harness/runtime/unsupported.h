#pragma once

namespace cudabench::runtime {

/// What a function of the CUDA runtime does that is not implemented: the case ends, with its name as the reason.
[[noreturn]] void unsupported(const char* name);

} // namespace cudabench::runtime
