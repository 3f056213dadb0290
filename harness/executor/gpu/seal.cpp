#include "executor/gpu/seal.h"

#include <algorithm>

namespace cudabench::gpu {
namespace {

std::uint64_t whole_pages(const Device& device, std::uint64_t bytes) {
    const std::uint64_t page = device.page_bytes();
    return std::max<std::uint64_t>(1, (bytes + page - 1) / page) * page;
}

} // namespace

Seal::Seal(const Device& device, const Buffer& buffer)
    : device_(&device), bytes_(buffer.bytes),
      range_(std::make_unique<driver::VirtualRange>(device.driver(), whole_pages(device, buffer.bytes))),
      pages_(device.driver(), device.handle(), range_->address(), range_->bytes()) {
    device.synchronize();
    if (bytes_ != 0)
        device.driver().cuMemcpyDtoDAsync(pages_.address(), buffer.address, bytes_, device.stream());
}

void Seal::close() {
    device_->synchronize();
    pages_.set_access(driver::Mapping::Access::none);
}

Buffer Seal::open() {
    pages_.set_access(driver::Mapping::Access::read);
    return {.address = pages_.address(), .bytes = bytes_};
}

} // namespace cudabench::gpu
