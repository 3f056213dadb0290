#include "executor/gpu/workspace.h"

#include <algorithm>
#include <stdexcept>

namespace cudabench::gpu {

Workspace::Workspace(const Device& device, const AddressRange& range, const Poison& poison)
    : device_(device), poison_(poison), begin_(range.workspace()), textures_(device) {}

void Workspace::allocate(const recipe::Allocate& allocation) {
    const recipe::Address offset = allocation.address - begin_;
    if (allocation.address < begin_ || offset > AddressRange::workspace_span || allocation.bytes == 0 ||
        allocation.bytes > AddressRange::workspace_span - offset)
        throw std::logic_error("a recipe allocates outside the workspace");
    const std::uint64_t page = device_.page_bytes();
    const recipe::Address from = begin_ + offset / page * page;
    const recipe::Address to = begin_ + (offset + allocation.bytes + page - 1) / page * page;

    recipe::Address next = from;
    auto mapping = mapped_.upper_bound(from);
    if (mapping != mapped_.begin())
        --mapping;
    for (; mapping != mapped_.end() && mapping->first < to; ++mapping) {
        if (mapping->first > next)
            map(next, mapping->first);
        next = std::max(next, mapping->first + mapping->second.bytes());
    }
    if (next < to)
        map(next, to);
}

void Workspace::map(recipe::Address from, recipe::Address to) {
    const auto [mapping, inserted] =
        mapped_.try_emplace(from, device_.driver(), device_.handle(), CUdeviceptr{from}, std::uint64_t{to - from});
    poison_.fill(mapping->second.address(), mapping->second.bytes(), pattern_, seed_, device_.stream());
    device_.driver().cuStreamSynchronize(device_.stream());
}

void Workspace::poison(PoisonPattern pattern, std::uint64_t seed) {
    pattern_ = pattern;
    seed_ = seed;
    for (const auto& [address, mapping] : mapped_)
        poison_.fill(address, mapping.bytes(), pattern_, seed_, device_.stream());
}

void Workspace::clear() {
    device_.synchronize();
    textures_.clear();
    mapped_.clear();
}

std::uint64_t Workspace::mapped_bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [address, mapping] : mapped_)
        sum += mapping.bytes();
    return sum;
}

} // namespace cudabench::gpu
