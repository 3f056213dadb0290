#include "runtime/shared_memory.h"

#include "runtime/place.h"

#include <algorithm>
#include <bit>
#include <sys/mman.h>

namespace cudabench::runtime {

namespace {

constexpr std::uint64_t page = 4096;
/// What is protected, sent and fetched as one.
constexpr std::uint64_t chunk_bytes = 16 * page;

std::uint64_t chunks_of(std::uint64_t bytes) {
    return (bytes + chunk_bytes - 1) / chunk_bytes;
}

} // namespace

bool SharedMemory::add(recipe::Address address, std::uint64_t bytes, Kind kind, std::vector<Part> parts) {
    const std::uint64_t whole = (bytes + page - 1) / page * page;
    const int access = kind == Kind::pinned ? PROT_READ | PROT_WRITE : PROT_READ;
    auto* const wanted = std::bit_cast<void*>(address);
    void* const memory =
        mmap(wanted, whole, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != wanted) {
        if (memory != MAP_FAILED)
            munmap(memory, whole);
        return false;
    }
    Block block{.memory = static_cast<std::byte*>(memory),
                .bytes = whole,
                .kind = kind,
                .for_kernels = kind == Kind::managed,
                .dirty = kind == Kind::pinned,
                .parts = std::move(parts),
                .chunks = {}};
    block.chunks.assign(chunks_of(whole), kind == Kind::pinned ? State::dirty : State::clean);
    blocks_[address] = std::move(block);
    return true;
}

bool SharedMemory::remove(recipe::Address address, Kind kind) {
    const auto found = blocks_.find(address);
    if (found == blocks_.end() || found->second.kind != kind)
        return false;
    munmap(found->second.memory, found->second.bytes);
    blocks_.erase(found);
    return true;
}

SharedMemory::Block* SharedMemory::find(recipe::Address address) {
    auto next = blocks_.upper_bound(address);
    if (next == blocks_.begin())
        return nullptr;
    --next;
    return address - next->first < next->second.bytes ? &next->second : nullptr;
}

const SharedMemory::Kind* SharedMemory::kind_at(recipe::Address address) const {
    const auto* block = const_cast<SharedMemory*>(this)->find(address);
    return block ? &block->kind : nullptr;
}

void SharedMemory::give_to_kernels(recipe::Address address) {
    if (Block* block = find(address))
        block->for_kernels = true;
}

void SharedMemory::set(Block& block, std::size_t first, std::size_t end, State state) {
    constexpr int access[] = {PROT_READ, PROT_READ | PROT_WRITE, PROT_NONE};
    const std::uint64_t from = first * chunk_bytes;
    mprotect(block.memory + from, std::min(end * chunk_bytes, block.bytes) - from,
             access[static_cast<std::size_t>(state)]);
    std::fill(block.chunks.begin() + static_cast<std::ptrdiff_t>(first),
              block.chunks.begin() + static_cast<std::ptrdiff_t>(end), state);
    block.dirty = block.dirty || state == State::dirty;
    block.all_device = state == State::device && first == 0 && end == block.chunks.size();
}

template <typename Use> void SharedMemory::for_each_part(Block& block, std::size_t first, std::size_t end, Use&& use) {
    const std::uint64_t from = first * chunk_bytes;
    const std::uint64_t to = end * chunk_bytes;
    for (const Part& part : block.parts) {
        const std::uint64_t begin = std::max(from, part.offset);
        const std::uint64_t stop = std::min(to, part.offset + part.bytes);
        for (std::uint64_t at = begin; at < stop;) {
            const std::uint64_t count = std::min(stop - at, recipe::max_copy_bytes);
            use(moved(part.place, part.bytes, 0, at - part.offset), block.memory + at, count);
            at += count;
        }
    }
}

void SharedMemory::push(Block& block) {
    for (std::size_t first = 0; first < block.chunks.size();) {
        std::size_t end = first;
        while (end < block.chunks.size() && block.chunks[end] == State::dirty)
            ++end;
        if (end == first) {
            ++first;
            continue;
        }
        for_each_part(block, first, end, device_.send);
        set(block, first, end, State::clean);
        first = end;
    }
    block.dirty = false;
}

void SharedMemory::push() {
    bool sent = false;
    for (auto& [address, block] : blocks_)
        if (block.for_kernels && block.dirty) {
            push(block);
            sent = true;
        }
    if (sent)
        device_.sent();
}

void SharedMemory::launched() {
    for (auto& [address, block] : blocks_)
        if (block.for_kernels && !block.all_device)
            set(block, 0, block.chunks.size(), State::device);
}

void SharedMemory::written(recipe::Address address, std::uint64_t bytes) {
    Block* block = find(address);
    if (!block)
        return;
    const std::uint64_t offset = address - std::bit_cast<recipe::Address>(block->memory);
    set(*block, offset / chunk_bytes, std::min(block->chunks.size(), chunks_of(offset + bytes)), State::device);
}

void SharedMemory::fetch(Block& block, std::size_t chunk) {
    // All of a small block at once: host code that looks at one element looks at others.
    constexpr std::size_t most = recipe::max_copy_bytes / chunk_bytes;
    const std::size_t begin = chunk / most * most;
    const std::size_t stop = std::min(begin + most, block.chunks.size());
    for (std::size_t first = begin; first < stop; ++first) {
        if (block.chunks[first] != State::device)
            continue;
        std::size_t end = first;
        while (end < stop && block.chunks[end] == State::device)
            ++end;
        const bool was_dirty = block.dirty;
        set(block, first, end, State::dirty);
        for_each_part(block, first, end, device_.fetch);
        set(block, first, end, State::clean);
        block.dirty = was_dirty;
        first = end - 1;
    }
}

bool SharedMemory::fault(recipe::Address address) {
    Block* block = find(address);
    if (!block)
        return false;
    const std::size_t chunk = (address - std::bit_cast<recipe::Address>(block->memory)) / chunk_bytes;
    switch (block->chunks[chunk]) {
    case State::device: fetch(*block, chunk); return true;
    case State::clean: set(*block, chunk, chunk + 1, State::dirty); return true;
    case State::dirty: return true; // by another thread, meanwhile
    }
    return false;
}

} // namespace cudabench::runtime
