#pragma once

#include "driver/lost.h"
#include "executor/gpu/device.h"
#include "executor/gpu/gpu_lock.h"

namespace cudabench::gpu {

/// While this lives the process works on the GPU, on which no other then times. What was started is done when it ends.
class DeviceWork {
public:
    DeviceWork(GpuLock& lock, const Device& device) : lock_(lock), device_(device), shared_(lock) {}
    ~DeviceWork() {
        // An error is that of the work; whoever asks for its outcome is told.
        if (lock_.held_once() && !driver::lost())
            device_.driver().cuCtxSynchronize.result();
    }
    DeviceWork(const DeviceWork&) = delete;
    DeviceWork& operator=(const DeviceWork&) = delete;

private:
    const GpuLock& lock_;
    const Device& device_;
    GpuLock::Shared shared_;
};

} // namespace cudabench::gpu
