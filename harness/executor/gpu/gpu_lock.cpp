#include "executor/gpu/gpu_lock.h"

#include "driver/lost.h"
#include "executor/gpu/lock_layout.h"

#include <chrono>

namespace cudabench::gpu {

GpuLock::GpuLock(const std::string& uuid) : file_(uuid) {}

void GpuLock::acquire(LockFile::Kind kind) {
    if (driver::lost())
        return; // what it holds is all that it gets: one who waits for that stands in the turnstile already
    const auto start = std::chrono::steady_clock::now();
    // All come through the turnstile, and who waits for the GPU waits in it: whoever comes later stays behind.
    file_.lock(turnstile, LockFile::Kind::exclusive);
    file_.lock(use, kind);
    file_.unlock(turnstile);
    waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void GpuLock::release() noexcept {
    if (!driver::lost())
        file_.unlock(use);
}

GpuLock::Shared::Shared(GpuLock& lock) : lock_(lock) {
    if (lock_.shared_ == 0 && lock_.exclusive_ == 0)
        lock_.acquire(LockFile::Kind::shared);
    ++lock_.shared_;
}

GpuLock::Shared::~Shared() {
    if (--lock_.shared_ == 0 && lock_.exclusive_ == 0)
        lock_.release();
}

GpuLock::Exclusive::Exclusive(GpuLock& lock) : lock_(lock) {
    if (lock_.exclusive_ == 0) {
        if (lock_.shared_ != 0)
            lock_.release();
        lock_.acquire(LockFile::Kind::exclusive);
    }
    ++lock_.exclusive_;
}

GpuLock::Exclusive::~Exclusive() {
    if (--lock_.exclusive_ != 0)
        return;
    if (lock_.shared_ == 0)
        lock_.release();
    else if (!driver::lost())
        lock_.file_.share(use);
}

} // namespace cudabench::gpu
