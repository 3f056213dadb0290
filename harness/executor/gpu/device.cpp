#include "executor/gpu/device.h"

#include "driver/memory.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace cudabench::gpu {
namespace {

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

std::uint64_t memory_of(const driver::Driver& driver, CUdevice device) {
    std::size_t bytes = 0;
    driver.cuDeviceTotalMem(&bytes, device);
    return bytes;
}

device::Description describe(const driver::Driver& driver, const Gpu& gpu) {
    const CUdevice device = gpu.handle;
    device::Description result;
    std::array<char, 256> name{};
    driver.cuDeviceGetName(name.data(), static_cast<int>(name.size()), device);
    result.name = name.data();
    result.uuid = gpu.uuid;
    result.memory_bytes = gpu.memory_bytes;
    driver.cuDriverGetVersion(&result.driver_version);
    for (std::size_t i = 1; i < result.attributes.size(); ++i) {
        int value = 0; // an attribute that this driver does not know stays 0
        if (driver.cuDeviceGetAttribute.result(&value, static_cast<CUdevice_attribute>(i), device) == CUDA_SUCCESS)
            result.attributes[i] = value;
    }
    return result;
}

} // namespace

std::vector<Gpu> visible_gpus(const driver::Driver& driver) {
    int count = 0;
    driver.cuDeviceGetCount(&count);
    std::vector<Gpu> gpus;
    for (int i = 0; i < count; ++i) {
        CUdevice device = 0;
        driver.cuDeviceGet(&device, i);
        gpus.push_back({device, uuid_of(driver, device), memory_of(driver, device)});
    }
    return gpus;
}

Device::Device(const driver::Driver& driver, const Gpu& gpu)
    : driver_(driver), handle_(gpu.handle), context_(driver, handle_), stream_(driver::make_stream(driver)),
      description_(describe(driver, gpu)), page_bytes_(driver::page_bytes(driver, handle_)) {}

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
