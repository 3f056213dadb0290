#pragma once

#include "executor/gpu/lock_file.h"

#include <string>

namespace cudabench::gpu {

/// The lock of one GPU among all processes of this machine: shared while a process works on the GPU, exclusive while it
/// times or counts. Nothing is held between. Requests are served in their order: while one waits to have the GPU alone,
/// later ones wait behind it, so that none starves.
/// A process that has lost its CUDA context keeps what it holds to its end, since its kernels may still run, and waits
/// for nothing more.
/// For one thread. Functions throw std::system_error naming the file.
class GpuLock {
public:
    explicit GpuLock(const std::string& uuid);
    GpuLock(const GpuLock&) = delete;
    GpuLock& operator=(const GpuLock&) = delete;

    /// A part of the GPU's time while this lives. Within another or an Exclusive of the same lock it changes nothing.
    class Shared {
    public:
        explicit Shared(GpuLock& lock);
        ~Shared();
        Shared(const Shared&) = delete;
        Shared& operator=(const Shared&) = delete;

    private:
        GpuLock& lock_;
    };

    /// The GPU for this process alone while this lives. What was shared before is let go of first, so that two that
    /// want it exclusively do not wait for each other, and is shared again after.
    class Exclusive {
    public:
        explicit Exclusive(GpuLock& lock);
        ~Exclusive();
        Exclusive(const Exclusive&) = delete;
        Exclusive& operator=(const Exclusive&) = delete;

    private:
        GpuLock& lock_;
    };

    /// Whether the end of a Shared that lives would leave the GPU to others.
    [[nodiscard]] bool held_once() const noexcept { return shared_ + exclusive_ == 1; }
    /// Seconds that this process has waited for others so far.
    [[nodiscard]] double waited() const noexcept { return waited_; }

private:
    void acquire(LockFile::Kind kind);
    void release() noexcept;

    LockFile file_;
    unsigned shared_ = 0;
    unsigned exclusive_ = 0;
    double waited_ = 0;
};

} // namespace cudabench::gpu
