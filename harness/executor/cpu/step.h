#pragma once

#include "executor/cpu/lanes.h"

#include <cstdint>

namespace cudabench::cpu {

class Warp;
struct Step;

/// Carries out a step for some lanes of a warp. May throw Fault.
using Handler = void (*)(Warp&, const Step&, Lanes);

/// Where a warp finds a value: 32 lanes of it, one after another (a predicate is one word, a bit a lane).
struct Place {
    /// Which memory the offset counts in.
    enum class Area : std::uint8_t {
        frame,     ///< registers of the running function
        constants, ///< of the code
        block,     ///< special registers that a block shares
        warp,      ///< special registers of a warp
    };
    static constexpr unsigned offset_bits = 30;

    constexpr Place() = default;
    constexpr Place(Area area, std::uint32_t offset)
        : bits((static_cast<std::uint32_t>(area) << offset_bits) | offset) {}
    [[nodiscard]] constexpr std::uint32_t area() const { return bits >> offset_bits; }
    [[nodiscard]] constexpr std::uint32_t offset() const { return bits & ((1U << offset_bits) - 1); }

    std::uint32_t bits = 0;
};

/// What a step does beside changing registers and memory.
enum class Control : std::uint8_t {
    straight,       ///< nothing: the next step follows
    branch,         ///< to `target`
    branch_indexed, ///< to the entry `a` of a table
    call,           ///< of call site `target`
    give_back,      ///< ret
    finish,         ///< exit
    barrier,        ///< of the block: barrier site `target`
    collective,     ///< all lanes of the mask `e` together
    warp_barrier,   ///< likewise, and nothing else
    pause,          ///< lets others run first
};

enum class Guard : std::uint8_t { none, if_set, if_clear };

/// One instruction, decoded: what the handler needs and where it finds it.
struct Step {
    Handler run = nullptr;
    Control control = Control::straight;
    Guard guard = Guard::none;
    bool flag = false;       ///< of the handler's own
    std::uint8_t number = 0; ///< of the handler's own
    std::uint8_t space = 0;  ///< of an access to memory: a Where
    Place guarded_by;
    Place d, a, b, c;         ///< destination and sources
    Place e;                  ///< one more
    std::uint32_t target = 0; ///< step, or entry in a table of the code
    std::int64_t immediate = 0;
};

} // namespace cudabench::cpu
