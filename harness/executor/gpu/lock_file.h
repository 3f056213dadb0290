#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cudabench::gpu {

/// Bytes of a lock file; they stand for things, nothing is stored in them.
struct LockRange {
    std::int64_t start = 0;
    std::int64_t length = 1;
};

/// What all processes of this machine, of any user, that use one GPU share: a file named by its UUID in the system's
/// temporary directory, whose bytes they lock. The locks are those of an open file description (F_OFD_SETLK): the
/// kernel frees them when a process ends in any way, and two objects of one process exclude each other too.
/// Functions throw std::system_error naming the file.
class LockFile {
public:
    enum class Kind : std::uint8_t { shared, exclusive };

    explicit LockFile(const std::string& uuid);
    ~LockFile();
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;

    /// Waits until no other has a lock that excludes this one; who waits first gets it first. A lock of the other kind
    /// on the range is replaced.
    void lock(LockRange range, Kind kind);
    /// The same at once, or false.
    [[nodiscard]] bool try_lock(LockRange range, Kind kind);
    /// Makes an exclusive lock a shared one.
    void share(LockRange range) noexcept;
    void unlock(LockRange range) noexcept;
    /// The first part of the range that others have locked.
    [[nodiscard]] std::optional<LockRange> locked_by_others(LockRange range) const;

private:
    [[noreturn]] void fail() const;

    std::string path_;
    int file_;
};

} // namespace cudabench::gpu
