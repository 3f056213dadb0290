#pragma once

#include "executor/cpu/shadow.h"
#include "recipe/operation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cudabench::cpu {

using recipe::Address;

/// A piece of device memory. `begin` to `end` is what device code may touch.
struct Region {
    Address begin = 0;
    Address end = 0;
    std::byte* host = nullptr; ///< of `begin`
    bool writable = false;
    std::string name;         ///< for messages
    Shadow* shadow = nullptr; ///< null: not watched

    [[nodiscard]] bool holds(Address address, std::uint64_t bytes) const {
        return address >= begin && address <= end && bytes <= end - address;
    }
    [[nodiscard]] std::byte* at(Address address) const { return host + (address - begin); }
};

/// Whether the bytes of a region have values before anything writes them.
enum class Contents : std::uint8_t { defined, undefined };

struct Sectors {
    std::uint64_t all = 0;
    std::uint64_t fresh = 0;
};

/// Device memory: which addresses exist, and where their bytes are on the host. Changes only while no kernel runs.
class Memory {
public:
    /// Maps `bytes` (at least 1) at an address; they start with a poison word repeated, by address. Throws
    /// std::invalid_argument if something is mapped there, std::bad_alloc.
    void map(Address address, std::uint64_t bytes, bool writable, std::string name, std::uint32_t poison,
             Contents contents = Contents::defined);
    void unmap(Address address);
    void clear() { regions_.clear(); }
    /// From now on what is mapped, and from the start what is mapped already, has a shadow; all marks of accesses are
    /// forgotten, but not which bytes were written.
    /// `with_races`: also who touches which word.
    void watch(bool with_races);
    /// The host has written these bytes, of one region.
    void mark_written(Address address, std::uint64_t bytes) const;
    /// Marks the sectors of a range of one region as read or written. Returns how many there are, and how many had not
    /// been marked.
    Sectors touch(Address address, std::uint64_t bytes, bool writes) const;

    /// The region that holds all of these bytes; null if there is none.
    [[nodiscard]] const Region* find(Address address, std::uint64_t bytes) const;
    /// The host's bytes, for the harness. Throws std::out_of_range.
    [[nodiscard]] std::byte* at(Address address, std::uint64_t bytes) const;

    void set_writable(Address address, bool writable);
    /// In order of their addresses.
    [[nodiscard]] std::vector<Region> regions() const;

private:
    struct Owned {
        Region region;
        std::unique_ptr<std::byte[]> storage;
        std::unique_ptr<Shadow> shadow;
        Contents contents = Contents::defined;
    };
    void give_shadow(Owned& owned) const;

    std::vector<Owned> regions_; ///< sorted by address
    bool watched_ = false;
    bool with_races_ = false;
};

} // namespace cudabench::cpu
