#pragma once

#include "recipe/operation.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace cudabench::cpu {

/// What is known of each piece of a region of memory, in bits that several host threads set at once.
class Marks {
public:
    explicit Marks(std::uint64_t bits);
    /// Returns whether it was not set before.
    bool set(std::uint64_t bit);
    void set_range(std::uint64_t first, std::uint64_t number);
    [[nodiscard]] bool is_set(std::uint64_t bit) const;
    /// Whether all of the bits are set; `first` and `number` as it is common, within a few words.
    [[nodiscard]] bool all_set(std::uint64_t first, std::uint64_t number) const;
    void clear();

private:
    std::uint64_t words_;
    std::unique_ptr<std::uint64_t[]> bits_;
};

inline constexpr std::uint64_t sector_bytes = 32;

/// Who touched a word of 4 bytes last: threads (from 1, 0 nobody) in the lower 28 bits, which bytes in the upper 4; and
/// when, by the clock of Watched. Written by several host threads.
struct RaceCell {
    static constexpr std::uint32_t thread_mask = (1U << 28) - 1;
    static constexpr std::uint32_t several = thread_mask; ///< readers, of different warps

    struct Touch {
        std::uint32_t who = 0;
        std::uint32_t when = 0;
        [[nodiscard]] std::uint32_t thread() const { return who & thread_mask; }
        [[nodiscard]] std::uint32_t bytes() const { return who >> 28; }
    };
    std::uint64_t written = 0; ///< Touch; `when` is odd for atomic operations
    std::uint64_t read = 0;    ///< likewise; odd if several threads of the warp read it

    [[nodiscard]] static Touch load(const std::uint64_t& field);
    static void store(std::uint64_t& field, const Touch& touch);
};

/// Of `bytes` of memory, all zero. Takes pages of the host only where it is touched.
class RaceCells {
public:
    explicit RaceCells(std::uint64_t bytes);
    [[nodiscard]] RaceCell& of(std::uint64_t offset) const { return cells_.get()[offset / 4]; }

private:
    struct Free {
        void operator()(RaceCell* cells) const { std::free(cells); }
    };
    std::unique_ptr<RaceCell, Free> cells_;
};

/// Of a region of device memory that is watched.
struct Shadow {
    Shadow(recipe::Address begin, std::uint64_t bytes, bool defined, bool with_races);

    /// Sectors are counted from that of the first byte.
    [[nodiscard]] std::uint64_t sector_of(recipe::Address address) const {
        return address / sector_bytes - begin / sector_bytes;
    }

    recipe::Address begin;
    Marks read_sectors;
    Marks written_sectors;
    std::unique_ptr<Marks> written;   ///< by byte; null: all of it had a value from the start
    std::unique_ptr<RaceCells> races; ///< by offset from the word of the first byte; null: races are not looked for
};

} // namespace cudabench::cpu
