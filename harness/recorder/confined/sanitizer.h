#pragma once

namespace cudabench::recorder {

/// Built under a sanitizer (CUDABENCH_SANITIZE): it has terabytes of address space, and looks up a thread's stack in
/// /proc/self/maps when code leaves it for good.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

} // namespace cudabench::recorder
