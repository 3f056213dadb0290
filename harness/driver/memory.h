#pragma once

#include "driver/owned.h"

#include <cstddef>
#include <cstdint>

namespace cudabench::driver {

/// Plain device memory.
using DeviceMemory = Owned<CUdeviceptr, &Driver::cuMemFree>;
/// Page-locked host memory.
using PinnedMemory = Owned<void*, &Driver::cuMemFreeHost>;
/// Device memory without an address.
using PhysicalMemory = Owned<CUmemGenericAllocationHandle, &Driver::cuMemRelease>;

DeviceMemory allocate(const Driver& driver, std::uint64_t bytes);
PinnedMemory allocate_pinned(const Driver& driver, std::size_t bytes);

/// The unit in which device memory is mapped, bytes (2 MiB on current GPUs).
std::uint64_t page_bytes(const Driver& driver, CUdevice device);

/// `bytes` is a multiple of page_bytes().
PhysicalMemory allocate_physical(const Driver& driver, CUdevice device, std::uint64_t bytes);

/// A range of device addresses with nothing behind them.
class VirtualRange {
public:
    /// `hint`: the address to ask for; the driver may give another. `bytes` is a multiple of page_bytes().
    VirtualRange(const Driver& driver, std::uint64_t bytes, CUdeviceptr hint = 0);
    ~VirtualRange();
    VirtualRange(const VirtualRange&) = delete;
    VirtualRange& operator=(const VirtualRange&) = delete;

    [[nodiscard]] CUdeviceptr address() const noexcept { return address_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    const Driver& driver_;
    CUdeviceptr address_ = 0;
    std::uint64_t bytes_;
};

/// Device memory behind a part of a VirtualRange, which it must not outlive. Move only.
class Mapping {
public:
    enum class Access { none, read, read_write };

    /// Maps `bytes` (a multiple of page_bytes()) of new memory at `address`.
    Mapping(const Driver& driver, CUdevice device, CUdeviceptr address, std::uint64_t bytes,
            Access access = Access::read_write);
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&&) = delete;
    ~Mapping();

    /// What kernels and copies may do here from now on. The device must be idle.
    void set_access(Access access);

    [[nodiscard]] CUdeviceptr address() const noexcept { return address_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    const Driver* driver_;
    CUdevice device_;
    CUdeviceptr address_;
    std::uint64_t bytes_;
    PhysicalMemory memory_;
};

} // namespace cudabench::driver
