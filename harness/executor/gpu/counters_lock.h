#pragma once

#include "executor/gpu/lock_file.h"

#include <string>

namespace cudabench::gpu {

/// The performance counters of one GPU for this process alone while this lives: the hardware serves one profiler, from
/// its making to its end, and refuses others. Processes are served in their order.
/// Take it before any GpuLock of the same GPU, never within one: who counts needs the GPU again and again.
/// Functions throw std::system_error naming the file.
class CountersLock {
public:
    explicit CountersLock(const std::string& uuid);

private:
    LockFile file_;
};

} // namespace cudabench::gpu
