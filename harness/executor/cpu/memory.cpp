#include "executor/cpu/memory.h"

#include "verify/poison.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cudabench::cpu {
namespace {

constexpr std::uint64_t alignment = 256; ///< of host and device addresses alike

} // namespace

void Memory::map(Address address, std::uint64_t bytes, bool writable, std::string name, std::uint32_t poison,
                 Contents contents) {
    const auto place = std::ranges::lower_bound(regions_, address, {}, [](const Owned& o) { return o.region.begin; });
    const bool before = place != regions_.begin() && std::prev(place)->region.end > address;
    if (before || (place != regions_.end() && place->region.begin < address + bytes))
        throw std::invalid_argument(fmt::format("0x{:x} is mapped already", address));
    Owned owned;
    owned.storage = std::make_unique_for_overwrite<std::byte[]>(bytes + 2 * alignment);
    const std::uint64_t beyond = reinterpret_cast<std::uintptr_t>(owned.storage.get()) % alignment;
    std::byte* const host = owned.storage.get() + (alignment - beyond) % alignment + address % alignment;
    owned.region = {address, address + bytes, host, writable, std::move(name), nullptr};
    owned.contents = contents;
    if (watched_)
        give_shadow(owned);
    verify::fill_poison({owned.region.host, bytes}, poison); // host and device addresses agree modulo 4
    regions_.insert(place, std::move(owned));
}

void Memory::give_shadow(Owned& owned) const {
    owned.shadow = std::make_unique<Shadow>(owned.region.begin, owned.region.end - owned.region.begin,
                                            owned.contents == Contents::defined, with_races_);
    owned.region.shadow = owned.shadow.get();
}

void Memory::watch(bool with_races) {
    watched_ = true;
    with_races_ = with_races;
    for (Owned& owned : regions_) {
        if (owned.shadow == nullptr) {
            give_shadow(owned);
        } else {
            owned.shadow->read_sectors.clear();
            owned.shadow->written_sectors.clear();
        }
    }
}

void Memory::mark_written(Address address, std::uint64_t bytes) const {
    const Region* const region = find(address, bytes);
    if (region != nullptr && region->shadow != nullptr && region->shadow->written != nullptr)
        region->shadow->written->set_range(address - region->begin, bytes);
}

Sectors Memory::touch(Address address, std::uint64_t bytes, bool writes) const {
    const Region* const region = find(address, bytes);
    if (region == nullptr || region->shadow == nullptr || bytes == 0)
        return {};
    Marks& marks = writes ? region->shadow->written_sectors : region->shadow->read_sectors;
    Sectors sectors;
    for (std::uint64_t s = region->shadow->sector_of(address); s <= region->shadow->sector_of(address + bytes - 1);
         ++s) {
        ++sectors.all;
        sectors.fresh += marks.set(s) ? 1 : 0;
    }
    return sectors;
}

void Memory::unmap(Address address) {
    std::erase_if(regions_, [&](const Owned& owned) { return owned.region.begin == address; });
}

const Region* Memory::find(Address address, std::uint64_t bytes) const {
    auto place = std::ranges::upper_bound(regions_, address, {}, [](const Owned& o) { return o.region.begin; });
    if (place == regions_.begin())
        return nullptr;
    --place;
    return place->region.holds(address, bytes) ? &place->region : nullptr;
}

std::byte* Memory::at(Address address, std::uint64_t bytes) const {
    const Region* const region = find(address, bytes);
    if (region == nullptr)
        throw std::out_of_range(fmt::format("no device memory at 0x{:x}", address));
    return region->at(address);
}

void Memory::set_writable(Address address, bool writable) {
    for (Owned& owned : regions_)
        if (owned.region.begin == address)
            owned.region.writable = writable;
}

std::vector<Region> Memory::regions() const {
    std::vector<Region> all;
    for (const Owned& owned : regions_)
        all.push_back(owned.region);
    return all;
}

} // namespace cudabench::cpu
