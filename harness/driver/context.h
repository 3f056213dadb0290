#pragma once

#include "driver/driver.h"

namespace cudabench::driver {

/// The primary context of a device, current in the thread that made it, kept while this lives.
class Context {
public:
    Context(const Driver& driver, CUdevice device);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    [[nodiscard]] CUcontext handle() const noexcept { return handle_; }

private:
    const Driver& driver_;
    CUdevice device_;
    CUcontext handle_ = nullptr;
};

} // namespace cudabench::driver
