#include "runtime/device_memory.h"

namespace cudabench::runtime {

namespace {

/// The last entry that begins at or before `address`, if `address` lies in its `bytes`.
template <typename Map, typename Bytes> auto entry_at(const Map& map, recipe::Address address, Bytes bytes) {
    auto entry = map.upper_bound(address);
    if (entry == map.begin())
        return map.end();
    --entry;
    return address - entry->first < bytes(entry->second) ? entry : map.end();
}

} // namespace

void DeviceMemory::open(const recipe::Hello& hello) {
    workspace_ = hello.workspace;
    most_allocations_ = hello.limits.allocations;
    buffers_ = hello.call.buffers;
    next_ = workspace_.base;
}

std::uint64_t DeviceMemory::rounded(std::uint64_t bytes) const {
    const std::uint64_t mask = workspace_.granularity - 1;
    return (bytes + mask) & ~mask;
}

std::optional<recipe::Address> DeviceMemory::allocate(std::uint64_t bytes) {
    if (bytes == 0 || bytes > workspace_.bytes || allocations_ == most_allocations_)
        return std::nullopt;
    const std::uint64_t mapped = rounded(bytes);
    const std::uint64_t left = workspace_.base + workspace_.span - next_;
    if (mapped > workspace_.bytes - live_bytes_ || mapped + workspace_.granularity > left)
        return std::nullopt;
    const recipe::Address address = next_;
    next_ += mapped + workspace_.granularity;
    live_bytes_ += mapped;
    ++allocations_;
    live_[address] = bytes;
    return address;
}

bool DeviceMemory::release(recipe::Address address) {
    const auto found = live_.find(address);
    if (found == live_.end())
        return false;
    live_bytes_ -= rounded(found->second);
    live_.erase(found);
    return true;
}

void DeviceMemory::add_variable(recipe::Address address, const std::string& name, std::uint64_t bytes) {
    variables_[address] = {name, bytes};
}

std::optional<DeviceMemory::Piece> DeviceMemory::find(recipe::Address address) const {
    const auto allocation = entry_at(live_, address, [](std::uint64_t bytes) { return bytes; });
    if (allocation != live_.end())
        return Piece{address, allocation->first, allocation->first + allocation->second - address, true};
    for (const recipe::Buffer& buffer : buffers_)
        if (address >= buffer.address && address - buffer.address < buffer.bytes)
            return Piece{address, buffer.address, buffer.address + buffer.bytes - address, buffer.writable};
    const auto variable = entry_at(variables_, address, [](const Variable& v) { return v.bytes; });
    if (variable == variables_.end())
        return std::nullopt;
    const std::uint64_t offset = address - variable->first;
    return Piece{recipe::Symbol{variable->second.name, offset}, variable->first, variable->second.bytes - offset, true};
}

bool DeviceMemory::contains(recipe::Address address) const {
    return (address >= workspace_.base && address - workspace_.base < workspace_.span) || find(address).has_value();
}

} // namespace cudabench::runtime
