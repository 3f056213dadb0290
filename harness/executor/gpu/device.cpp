#include "executor/gpu/device.h"

#include "driver/memory.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace cudabench::gpu {
namespace {

CUdevice first_visible(const driver::Driver& driver) {
    CUdevice device = 0;
    driver.cuDeviceGet(&device, 0);
    return device;
}

/// As nvidia-smi writes it: GPU-8-4-4-4-12.
std::string uuid_of(const driver::Driver& driver, CUdevice device) {
    CUuuid uuid{};
    driver.cuDeviceGetUuid(&uuid, device);
    std::string text = "GPU";
    for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

device::Description describe(const driver::Driver& driver, CUdevice device) {
    device::Description result;
    std::array<char, 256> name{};
    driver.cuDeviceGetName(name.data(), static_cast<int>(name.size()), device);
    result.name = name.data();
    result.uuid = uuid_of(driver, device);
    std::size_t memory = 0;
    driver.cuDeviceTotalMem(&memory, device);
    result.memory_bytes = memory;
    driver.cuDriverGetVersion(&result.driver_version);
    for (std::size_t i = 1; i < result.attributes.size(); ++i) {
        int value = 0; // an attribute that this driver does not know stays 0
        if (driver.cuDeviceGetAttribute.result(&value, static_cast<CUdevice_attribute>(i), device) == CUDA_SUCCESS)
            result.attributes[i] = value;
    }
    return result;
}

} // namespace

Device::Device(const driver::Driver& driver)
    : driver_(driver), handle_(first_visible(driver)), context_(driver, handle_), stream_(driver::make_stream(driver)),
      description_(describe(driver, handle_)), page_bytes_(driver::page_bytes(driver, handle_)) {}

int Device::attribute(CUdevice_attribute attribute) const {
    return description_.attributes.at(static_cast<std::size_t>(attribute));
}

std::uint64_t Device::free_bytes() const {
    std::size_t available = 0;
    std::size_t total = 0;
    driver_.cuMemGetInfo(&available, &total);
    return available;
}

} // namespace cudabench::gpu
