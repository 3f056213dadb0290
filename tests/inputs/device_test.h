#pragma once

#include "driver/context.h"
#include "driver/memory.h"
#include "driver/stream.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

namespace cudabench {

/// A test on the first GPU. Link device_main.cpp, which skips the program where there is none.
class DeviceTest : public testing::Test {
protected:
    static CUdevice first_device(const driver::Driver& driver) {
        CUdevice device = 0;
        driver.cuDeviceGet(&device, 0);
        return device;
    }

    [[nodiscard]] driver::DeviceMemory upload(std::span<const std::byte> bytes) const {
        driver::DeviceMemory memory = driver::allocate(driver_, bytes.size() + 16);
        driver_.cuMemcpyHtoDAsync(memory.get(), bytes.data(), bytes.size(), stream_.get());
        driver_.cuStreamSynchronize(stream_.get());
        return memory;
    }

    [[nodiscard]] std::vector<std::byte> download(CUdeviceptr address, std::size_t bytes) const {
        std::vector<std::byte> copy(bytes);
        driver_.cuMemcpyDtoHAsync(copy.data(), address, bytes, stream_.get());
        driver_.cuStreamSynchronize(stream_.get());
        return copy;
    }

    /// One for all tests of the program: to make one takes longer than most of them.
    static driver::Context& shared_context(const driver::Driver& driver) {
        static driver::Context context{driver, first_device(driver)};
        return context;
    }

    const driver::Driver& driver_ = *driver::load().value();
    driver::Context& context_ = shared_context(driver_);
    driver::Stream stream_ = driver::make_stream(driver_);
};

} // namespace cudabench
