#include "driver/memory.h"

namespace cudabench::driver {
namespace {

CUmemAllocationProp properties(CUdevice device) {
    CUmemAllocationProp result{};
    result.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    result.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    result.location.id = device;
    return result;
}

CUmemAccess_flags flags(Mapping::Access access) {
    switch (access) {
    case Mapping::Access::none: return CU_MEM_ACCESS_FLAGS_PROT_NONE;
    case Mapping::Access::read: return CU_MEM_ACCESS_FLAGS_PROT_READ;
    case Mapping::Access::read_write: return CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    throw std::logic_error("unknown access");
}

} // namespace

DeviceMemory allocate(const Driver& driver, std::uint64_t bytes) {
    CUdeviceptr address = 0;
    driver.cuMemAlloc(&address, bytes);
    return {driver, address};
}

PinnedMemory allocate_pinned(const Driver& driver, std::size_t bytes) {
    void* address = nullptr;
    driver.cuMemHostAlloc(&address, bytes, 0);
    return {driver, address};
}

std::uint64_t page_bytes(const Driver& driver, CUdevice device) {
    const CUmemAllocationProp wanted = properties(device);
    std::size_t result = 0;
    driver.cuMemGetAllocationGranularity(&result, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    return result;
}

PhysicalMemory allocate_physical(const Driver& driver, CUdevice device, std::uint64_t bytes) {
    const CUmemAllocationProp wanted = properties(device);
    CUmemGenericAllocationHandle handle = 0;
    driver.cuMemCreate(&handle, bytes, &wanted, 0);
    return {driver, handle};
}

VirtualRange::VirtualRange(const Driver& driver, std::uint64_t bytes, CUdeviceptr hint)
    : driver_(driver), bytes_(bytes) {
    driver_.cuMemAddressReserve(&address_, bytes_, 0, hint, 0);
}

VirtualRange::~VirtualRange() {
    if (!lost())
        driver_.cuMemAddressFree.result(address_, bytes_);
}

Mapping::Mapping(const Driver& driver, CUdevice device, CUdeviceptr address, std::uint64_t bytes, Access access)
    : driver_(&driver), device_(device), address_(address), bytes_(bytes),
      memory_(allocate_physical(driver, device, bytes)) {
    driver.cuMemMap(address_, bytes_, 0, memory_.get(), 0);
    set_access(access);
}

Mapping::Mapping(Mapping&& other) noexcept
    : driver_(other.driver_), device_(other.device_), address_(other.address_), bytes_(std::exchange(other.bytes_, 0)),
      memory_(std::move(other.memory_)) {}

Mapping::~Mapping() {
    if (bytes_ != 0 && !lost())
        driver_->cuMemUnmap.result(address_, bytes_);
}

void Mapping::set_access(Access access) {
    CUmemAccessDesc wanted{};
    wanted.location = properties(device_).location;
    wanted.flags = flags(access);
    driver_->cuMemSetAccess(address_, bytes_, &wanted, 1);
}

} // namespace cudabench::driver
