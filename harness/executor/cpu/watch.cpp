#include "executor/cpu/watch.h"

#include "executor/cpu/block.h"
#include "executor/cpu/grid.h"
#include "executor/cpu/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace cudabench::cpu {
namespace {

constexpr std::uint32_t banks = 32;
constexpr std::uint32_t bank_bytes = 4;
constexpr std::uint32_t pass_bytes = banks * bank_bytes;

/// The first of at most `n` numbers that was not seen before is new.
template <std::size_t most> class Distinct {
public:
    bool insert(std::uint64_t value) {
        for (std::size_t i = number_; i > 0; --i)
            if (values_[i - 1] == value)
                return false;
        if (number_ < most)
            values_[number_++] = value;
        return true;
    }

private:
    std::array<std::uint64_t, most> values_;
    std::size_t number_ = 0;
};

/// A thread of the grid, from 1.
std::uint32_t thread_number(const Warp& warp, unsigned lane) {
    const std::uint64_t of_grid =
        warp.block().number_in_grid() * warp.grid().block_threads() + std::uint64_t{warp.index()} * warp_size + lane;
    return static_cast<std::uint32_t>(of_grid % (RaceCell::thread_mask - 1)) + 1;
}

bool same_warp(std::uint32_t one, std::uint32_t other, std::uint32_t block_threads) {
    return (one - 1) / block_threads == (other - 1) / block_threads &&
           (one - 1) % block_threads / warp_size == (other - 1) % block_threads / warp_size;
}

std::string name_of_thread(const Grid& grid, std::uint32_t number) {
    if (number == RaceCell::several)
        return "several threads";
    const std::uint32_t threads = grid.block_threads();
    const auto text = [](const recipe::Extent& size, std::uint32_t i) {
        return fmt::format("({}, {}, {})", i % size.x, i / size.x % size.y, i / size.x / size.y);
    };
    return fmt::format("thread {} of block {}", text(grid.block, (number - 1) % threads),
                       text(grid.grid, (number - 1) / threads));
}

std::uint64_t offset_in(const Located& located, std::uint64_t address) {
    switch (located.space) {
    case Where::shared: return in_window(address, shared_window) ? address - shared_window : address;
    case Where::local: return in_window(address, local_window) ? address - local_window : address;
    default: return address;
    }
}

std::string place(const Located& located, std::uint64_t address) {
    if (located.space == Where::global)
        return fmt::format("0x{:x} in {}", address, located.region == nullptr ? "memory" : located.region->name);
    return fmt::format("offset 0x{:x} of {} memory", offset_in(located, address),
                       located.space == Where::shared ? "shared" : "local");
}

std::uint64_t hash_of(const std::byte* bytes, std::uint32_t number) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
    for (std::uint32_t i = 0; i < number; ++i)
        hash = (hash ^ static_cast<std::uint64_t>(bytes[i])) * 0x100'0000'01B3;
    return hash;
}

/// The bytes of an access that count, a bit each; accesses of more than 32 bytes count whole.
std::uint32_t used_bytes(const Warp& warp, std::uint32_t bytes) {
    const std::uint32_t all = bytes >= 32 ? ~0U : (1U << bytes) - 1;
    const auto& masks = warp.code().used_bytes;
    if (masks.empty())
        return all;
    const auto found = masks.find(warp.pc());
    return found == masks.end() ? all : all & found->second;
}

/// Marks of bytes written, and where the access begins among them; null where nothing is known.
struct Defined {
    Marks* marks = nullptr;
    std::uint64_t first = 0;
};

Defined defined_of(const Warp& warp, const Located& located, std::uint64_t address, unsigned lane) {
    switch (located.space) {
    case Where::global:
        if (located.region == nullptr || located.region->shadow == nullptr)
            return {};
        return {located.region->shadow->written.get(), address - located.region->begin};
    case Where::shared: return {warp.block().shadow()->written.get(), offset_in(located, address)};
    case Where::local:
        return {warp.local_written(), offset_in(located, address) + std::uint64_t{lane} * warp.local_stride()};
    default: return {};
    }
}

RaceCell* cell_of(const Warp& warp, const Located& located, std::uint64_t address) {
    if (located.space == Where::shared) {
        const RaceCells* const cells = warp.block().shadow()->races.get();
        return cells == nullptr ? nullptr : &cells->of(offset_in(located, address));
    }
    if (located.space != Where::global || located.region == nullptr || located.region->shadow == nullptr ||
        located.region->shadow->races == nullptr)
        return nullptr;
    return &located.region->shadow->races->of(address - located.region->begin / 4 * 4);
}

} // namespace

BlockShadow::BlockShadow(const Watched& watched, std::uint32_t shared_bytes) {
    if (watched.findings().uninitialised)
        written = std::make_unique<Marks>(shared_bytes);
    if (watched.findings().races)
        races = std::make_unique<RaceCells>(shared_bytes);
}

void BlockShadow::start(std::uint32_t now) {
    ordered = now;
    if (written != nullptr)
        written->clear();
}

void Watch::begin(const Warp& warp, const Addresses& addresses, const std::array<Located, warp_size>& located,
                  Lanes lanes, std::uint32_t bytes, Access access) {
    const bool reads = access != Access::write;
    const bool writes = access != Access::read;
    Lanes global = 0;
    Lanes shared = 0;
    each(lanes, [&](unsigned lane) {
        global |= located[lane].space == Where::global ? Lanes{1} << lane : 0;
        shared |= located[lane].space == Where::shared ? Lanes{1} << lane : 0;
    });
    if (global != 0)
        count_global(addresses, located, global, bytes, reads, writes);
    if (shared != 0) {
        count_shared(addresses, shared, bytes);
        if (reads)
            counts.add(Quantity::shared_read_bytes, std::uint64_t{bytes} * count(shared));
        if (writes)
            counts.add(Quantity::shared_write_bytes, std::uint64_t{bytes} * count(shared));
    }
    if (!watched_.findings().uninitialised)
        return;
    const std::uint32_t used = reads ? used_bytes(warp, bytes) : 0;
    each(lanes, [&](unsigned lane) {
        const Defined defined = defined_of(warp, located[lane], addresses[lane], lane);
        if (defined.marks == nullptr)
            return;
        if (reads && !defined.marks->all_set(defined.first, bytes))
            for (std::uint32_t i = 0; i < bytes; ++i)
                if ((i >= 32 || (used >> i & 1) != 0) && !defined.marks->is_set(defined.first + i))
                    throw Fault(fmt::format("uninitialised read: of {} bytes at {}, nobody wrote byte {}", bytes,
                                            place(located[lane], addresses[lane]), i),
                                lane);
        if (writes)
            defined.marks->set_range(defined.first, bytes);
    });
}

void Watch::count_global(const Addresses& addresses, const std::array<Located, warp_size>& located, Lanes lanes,
                         std::uint32_t bytes, bool reads, bool writes) {
    if (reads)
        counts.add(Quantity::global_read_bytes, std::uint64_t{bytes} * count(lanes));
    if (writes)
        counts.add(Quantity::global_write_bytes, std::uint64_t{bytes} * count(lanes));
    Distinct<2 * std::size_t{warp_size}> seen;
    each(lanes, [&](unsigned lane) {
        Shadow* const shadow = located[lane].region == nullptr ? nullptr : located[lane].region->shadow;
        const std::uint64_t last = (addresses[lane] + bytes - 1) / sector_bytes;
        for (std::uint64_t sector = addresses[lane] / sector_bytes; sector <= last; ++sector) {
            if (!seen.insert(sector))
                continue;
            if (reads)
                counts.add(Quantity::global_read_sectors, 1);
            if (writes)
                counts.add(Quantity::global_write_sectors, 1);
            if (shadow == nullptr)
                continue;
            const std::uint64_t bit = shadow->sector_of(sector * sector_bytes);
            if (reads && shadow->read_sectors.set(bit))
                counts.add(Quantity::unique_read_sectors, 1);
            if (writes && shadow->written_sectors.set(bit))
                counts.add(Quantity::unique_write_sectors, 1);
        }
    });
}

/// The lanes of a pass are those whose bytes make up to 128: all for words, half for 8 bytes, a quarter for 16. A pass
/// takes as many wavefronts as the busiest bank has different words.
void Watch::count_shared(const Addresses& addresses, Lanes lanes, std::uint32_t bytes) {
    const std::uint32_t together = std::clamp(pass_bytes / std::max(bytes, bank_bytes), 1U, warp_size);
    for (unsigned from = 0; from < warp_size; from += together) {
        const Lanes part = lanes & static_cast<Lanes>(((std::uint64_t{1} << together) - 1) << from);
        if (part == 0)
            continue;
        std::array<std::uint32_t, banks> words{};
        Distinct<banks> seen;
        each(part, [&](unsigned lane) {
            const std::uint64_t last = (addresses[lane] + bytes - 1) / bank_bytes;
            for (std::uint64_t word = addresses[lane] / bank_bytes; word <= last; ++word)
                if (seen.insert(word))
                    ++words[word % banks];
        });
        const std::uint32_t wavefronts = *std::ranges::max_element(words);
        counts.add(Quantity::shared_wavefronts, wavefronts);
        counts.add(Quantity::bank_conflicts, wavefronts - 1);
    }
}

/// Whether nothing orders an earlier access and one by `thread` now. `with_others`: of the warp.
bool Watch::conflicts(const Warp& warp, std::uint32_t thread, const RaceCell::Touch& touch, Where space,
                      bool with_others) const {
    const std::uint32_t when = touch.when & ~1U;
    if (touch.thread() == 0 || (touch.thread() == thread && !with_others) || when < watched_.ordered())
        return false;
    const bool several = touch.thread() == RaceCell::several;
    const std::uint32_t threads = warp.grid().block_threads();
    const std::uint32_t other = touch.thread() - 1;
    // Several readers count as of this block, which excludes more than it may. In shared memory another block is one
    // that had this memory before.
    if (space != Where::shared && !several && other / threads != (thread - 1) / threads)
        return true;
    if (when < warp.block().shadow()->ordered)
        return false;
    return several || !same_warp(touch.thread(), thread, threads) || when >= warp.ordered();
}

Suspect Watch::before_lane(const Warp& warp, std::uint64_t address, const Located& located, unsigned lane,
                           std::uint32_t bytes, Access access) {
    Suspect suspect;
    if (cell_of(warp, located, address) == nullptr)
        return suspect;
    const std::uint32_t thread = thread_number(warp, lane);
    const std::uint32_t now = watched_.now();
    const bool atomic = access == Access::read_write;
    for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
        RaceCell& cell = *cell_of(warp, located, std::max(at, address));
        const std::uint64_t first = std::max(at, address) - at;
        const std::uint64_t end = std::min(at + 4, address + bytes) - at;
        const auto touched = static_cast<std::uint32_t>(((1U << (end - first)) - 1) << first);
        const RaceCell::Touch written = RaceCell::load(cell.written);
        const bool both_atomic = atomic && (written.when & 1) != 0;
        if (!both_atomic && (written.bytes() & touched) != 0 && conflicts(warp, thread, written, located.space, false))
            suspect = {true, written.thread(), true, 0};
        const RaceCell::Touch read = RaceCell::load(cell.read);
        if (access == Access::read) {
            const bool several = (read.when & 1) != 0;
            const bool others = conflicts(warp, thread, read, located.space, several);
            const bool of_warp = others && read.thread() != RaceCell::several &&
                                 same_warp(read.thread(), thread, warp.grid().block_threads());
            const std::uint32_t reader = others && !of_warp ? RaceCell::several : thread;
            RaceCell::store(cell.read,
                            {reader | (touched | (others ? read.bytes() : 0)) << 28, now | (of_warp ? 1U : 0U)});
            continue;
        }
        if ((read.bytes() & touched) != 0 && !suspect.found &&
            conflicts(warp, thread, read, located.space, (read.when & 1) != 0))
            suspect = {true, read.thread(), false, 0};
        RaceCell::store(cell.written, {thread | touched << 28, now | (atomic ? 1U : 0U)});
    }
    if (suspect.found && access == Access::write)
        suspect.before = hash_of(located.at(address, lane), bytes);
    return suspect;
}

void Watch::after_lane(const Warp& warp, const Suspect& suspect, std::uint64_t address, const Located& located,
                       unsigned lane, std::uint32_t bytes, Access access) const {
    if (!suspect.found || (access == Access::write && hash_of(located.at(address, lane), bytes) == suspect.before))
        return;
    throw Fault(fmt::format("race: {} of {} bytes at {}, which {} {}, and nothing orders the two",
                            access == Access::read    ? "read"
                            : access == Access::write ? "write"
                                                      : "atomic operation",
                            bytes, place(located, address), name_of_thread(warp.grid(), suspect.other),
                            suspect.other_wrote ? "wrote" : "read"),
                lane);
}

} // namespace cudabench::cpu
