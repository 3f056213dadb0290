#pragma once

#include "executor/gpu/lock_file.h"

#include <cstdint>
#include <string>

namespace cudabench::gpu {

/// A part of a GPU's memory that this process may use, set aside among all processes of this machine that ask: so many
/// cases run at once as fit, and none runs out of memory because of its neighbours. Each byte that is locked in the
/// GPU's lock file stands for 16 MiB; which bytes they are means nothing.
class MemoryShare {
public:
    /// Waits until `bytes` of `capacity` are free; who asks first gets it first. Who needs more than there is gets it
    /// all. Throws std::system_error naming the lock file.
    MemoryShare(const std::string& uuid, std::uint64_t bytes, std::uint64_t capacity);
    MemoryShare(const MemoryShare&) = delete;
    MemoryShare& operator=(const MemoryShare&) = delete;

    /// Bytes, whole units.
    [[nodiscard]] std::uint64_t bytes() const noexcept;
    /// Seconds that it took to get them.
    [[nodiscard]] double waited() const noexcept { return waited_; }

private:
    /// Locks what is free of the first `capacity` units, until `wanted` are locked in all; how many still lack.
    [[nodiscard]] std::int64_t take_free(std::int64_t wanted, std::int64_t capacity);

    LockFile file_;
    std::int64_t units_ = 0; ///< locked
    double waited_ = 0;
};

} // namespace cudabench::gpu
