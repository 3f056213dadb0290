#pragma once

#include "device/description.h"
#include "driver/context.h"
#include "driver/driver.h"
#include "driver/stream.h"

namespace cudabench::gpu {

/// The GPU that a case uses, with a context and the stream on which the harness works. The first that
/// CUDA_VISIBLE_DEVICES leaves visible.
class Device {
public:
    /// Throws driver::DriverError if the context cannot be made.
    explicit Device(const driver::Driver& driver);

    [[nodiscard]] const driver::Driver& driver() const noexcept { return driver_; }
    [[nodiscard]] CUdevice handle() const noexcept { return handle_; }
    [[nodiscard]] CUcontext context() const noexcept { return context_.handle(); }
    [[nodiscard]] CUstream stream() const noexcept { return stream_.get(); }
    [[nodiscard]] const device::Description& description() const noexcept { return description_; }
    [[nodiscard]] int attribute(CUdevice_attribute attribute) const;
    /// The unit in which memory is mapped, bytes.
    [[nodiscard]] std::uint64_t page_bytes() const noexcept { return page_bytes_; }
    /// Device memory that is free now, bytes.
    [[nodiscard]] std::uint64_t free_bytes() const;
    /// Waits for all work of the context, without a time limit: for the harness's own work.
    void synchronize() const { driver_.cuCtxSynchronize(); }

private:
    const driver::Driver& driver_;
    CUdevice handle_;
    driver::Context context_;
    driver::Stream stream_;
    device::Description description_;
    std::uint64_t page_bytes_;
};

} // namespace cudabench::gpu
