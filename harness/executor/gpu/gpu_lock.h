#pragma once

#include <string>

namespace cudabench::gpu {

/// The lock of one GPU among all processes of this machine, of any user: shared while a process uses the GPU at all,
/// exclusive while it times. A file named by the GPU's UUID in the system's temporary directory; the kernel frees the
/// lock of a process that ends in any way.
class GpuLock {
public:
    /// Waits until no other process times. Throws std::system_error naming the file.
    explicit GpuLock(const std::string& uuid);
    ~GpuLock();
    GpuLock(const GpuLock&) = delete;
    GpuLock& operator=(const GpuLock&) = delete;

    /// The GPU for this process alone while this lives; waits for the others. They go on as soon as they wait for the
    /// same, since changing the kind of lock lets go of it first.
    class Exclusive {
    public:
        explicit Exclusive(GpuLock& lock);
        ~Exclusive();
        Exclusive(const Exclusive&) = delete;
        Exclusive& operator=(const Exclusive&) = delete;

    private:
        GpuLock& lock_;
    };

    /// The GPU for others while this lives: of a process that has a context but no work.
    class Released {
    public:
        explicit Released(GpuLock& lock);
        /// Waits until no other process times.
        ~Released();
        Released(const Released&) = delete;
        Released& operator=(const Released&) = delete;

    private:
        GpuLock& lock_;
    };

private:
    void lock(int kind);

    std::string path_;
    int file_;
};

} // namespace cudabench::gpu
