#include "executor/gpu/gpu_lock.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace cudabench::gpu {
namespace {

[[noreturn]] void fail(const std::string& path) {
    throw std::system_error(errno, std::generic_category(), "cannot lock the GPU by the file " + path);
}

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

} // namespace

GpuLock::GpuLock(const std::string& uuid)
    : path_(std::string(P_tmpdir) + "/cudabench-" + uuid + ".lock"), file_(open_lock_file(path_)) {
    if (file_ < 0)
        fail(path_);
    lock(LOCK_SH);
}

GpuLock::~GpuLock() {
    ::close(file_);
}

void GpuLock::lock(int kind) {
    while (::flock(file_, kind) != 0)
        if (errno != EINTR)
            fail(path_);
}

GpuLock::Exclusive::Exclusive(GpuLock& lock) : lock_(lock) {
    lock_.lock(LOCK_EX);
}

GpuLock::Exclusive::~Exclusive() {
    ::flock(lock_.file_, LOCK_SH);
}

GpuLock::Released::Released(GpuLock& lock) : lock_(lock) {
    lock_.lock(LOCK_UN);
}

GpuLock::Released::~Released() {
    while (::flock(lock_.file_, LOCK_SH) != 0 && errno == EINTR) {
    }
}

} // namespace cudabench::gpu
