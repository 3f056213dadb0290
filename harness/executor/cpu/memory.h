#pragma once

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
    std::string name; ///< for messages

    [[nodiscard]] bool holds(Address address, std::uint64_t bytes) const {
        return address >= begin && address <= end && bytes <= end - address;
    }
    [[nodiscard]] std::byte* at(Address address) const { return host + (address - begin); }
};

/// Device memory: which addresses exist, and where their bytes are on the host. Changes only while no kernel runs.
class Memory {
public:
    /// Maps `bytes` (at least 1) at an address; they start with a poison word repeated, by address. Throws
    /// std::invalid_argument if something is mapped there, std::bad_alloc.
    void map(Address address, std::uint64_t bytes, bool writable, std::string name, std::uint32_t poison);
    void unmap(Address address);
    void clear() { regions_.clear(); }

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
    };
    std::vector<Owned> regions_; ///< sorted by address
};

} // namespace cudabench::cpu
