#include "executor/gpu/lock_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace cudabench::gpu {
namespace {

/// Opens without O_CREAT first: in a sticky directory the kernel may refuse O_CREAT on another user's file.
int open_lock_file(const std::string& path) {
    for (;;) {
        int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (file >= 0 || errno != ENOENT)
            return file;
        file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_CREAT | O_EXCL, 0666);
        if (file >= 0) {
            ::fchmod(file, 0666); // whatever the umask: every user locks it
            return file;
        }
        if (errno != EEXIST)
            return file;
    }
}

struct flock request(LockRange range, int type) {
    struct flock wanted {};
    wanted.l_type = static_cast<short>(type);
    wanted.l_whence = SEEK_SET;
    wanted.l_start = range.start;
    wanted.l_len = range.length;
    return wanted;
}

int type_of(LockFile::Kind kind) {
    return kind == LockFile::Kind::shared ? F_RDLCK : F_WRLCK;
}

} // namespace

LockFile::LockFile(const std::string& uuid)
    : path_(std::string(P_tmpdir) + "/cudabench-" + uuid + ".lock"), file_(open_lock_file(path_)) {
    if (file_ < 0)
        fail();
}

LockFile::~LockFile() {
    ::close(file_);
}

void LockFile::lock(LockRange range, Kind kind) {
    struct flock wanted = request(range, type_of(kind));
    while (::fcntl(file_, F_OFD_SETLKW, &wanted) != 0)
        if (errno != EINTR)
            fail();
}

bool LockFile::try_lock(LockRange range, Kind kind) {
    struct flock wanted = request(range, type_of(kind));
    if (::fcntl(file_, F_OFD_SETLK, &wanted) == 0)
        return true;
    if (errno != EAGAIN && errno != EACCES)
        fail();
    return false;
}

void LockFile::share(LockRange range) noexcept {
    struct flock wanted = request(range, F_RDLCK);
    ::fcntl(file_, F_OFD_SETLK, &wanted);
}

void LockFile::unlock(LockRange range) noexcept {
    struct flock wanted = request(range, F_UNLCK);
    ::fcntl(file_, F_OFD_SETLK, &wanted);
}

std::optional<LockRange> LockFile::locked_by_others(LockRange range) const {
    const std::int64_t end = range.start + range.length;
    std::optional<LockRange> first;
    // The kernel names any lock in the range: look before each until there is none.
    while (range.length > 0) {
        struct flock found = request(range, F_WRLCK);
        if (::fcntl(file_, F_OFD_GETLK, &found) != 0)
            fail();
        if (found.l_type == F_UNLCK)
            break;
        const std::int64_t start = std::max<std::int64_t>(found.l_start, range.start);
        const std::int64_t stop = found.l_len == 0 ? end : std::min<std::int64_t>(found.l_start + found.l_len, end);
        first = {.start = start, .length = stop - start};
        range.length = start - range.start;
    }
    return first;
}

void LockFile::fail() const {
    throw std::system_error(errno, std::generic_category(), "cannot lock the GPU by the file " + path_);
}

} // namespace cudabench::gpu
