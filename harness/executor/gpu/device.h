#pragma once

#include "device/description.h"
#include "driver/context.h"
#include "driver/driver.h"
#include "driver/stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cudabench::gpu {

/// A visible GPU. Which of them a case uses: assigned_gpu.h.
struct Gpu {
    CUdevice handle = 0;
    std::string uuid; ///< as nvidia-smi writes it: GPU-8-4-4-4-12
    std::uint64_t memory_bytes = 0;
};

/// Those that CUDA_VISIBLE_DEVICES leaves visible. Makes no context. Throws driver::DriverError.
[[nodiscard]] std::vector<Gpu> visible_gpus(const driver::Driver& driver);

/// The GPU that a case uses, with a context and the stream on which the harness works.
class Device {
public:
    /// Throws driver::DriverError if the context cannot be made.
    Device(const driver::Driver& driver, const Gpu& gpu);

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
