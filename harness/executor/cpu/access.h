#pragma once

#include "executor/cpu/instruction.h"
#include "executor/cpu/warp.h"

#include <array>
#include <cstdint>

namespace cudabench::cpu {

/// The state space that an access names.
enum class Where : std::uint8_t { generic, global, shared, local, parameter };

enum class Access : std::uint8_t { read, write, read_write };

/// Addresses by lane; those of lanes that take no part mean nothing.
using Addresses = std::array<std::uint64_t, warp_size>;

/// The addresses that a step's operand stands for: a, `immediate`, and what encode_address() noted.
[[nodiscard]] Addresses addresses_of(Warp& warp, const Step& step, Lanes lanes);

[[nodiscard]] Addresses addresses_of(const Warp& warp, const AddressOperand& operand);

/// An access that may be half of a race.
struct Suspect {
    bool found = false;
    std::uint32_t other = 0; ///< thread of the grid, from 1
    bool other_wrote = false;
    std::uint64_t before = 0; ///< a hash of the bytes
};

/// Where the bytes of the lanes lie on the host: at base + address + lane x stride.
struct Located {
    std::uintptr_t base = 0;
    std::uintptr_t stride = 0;
    Where space = Where::global;    ///< not generic
    const Region* region = nullptr; ///< of global memory
    [[nodiscard]] std::byte* at(std::uint64_t address, unsigned lane) const {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): base alone is no place of an object
        return reinterpret_cast<std::byte*>(base + address + lane * stride);
    }
};

/// Whether threads may mean to look at it at the same time: then no race is looked for.
enum class Strength : std::uint8_t { weak, strong };

/// Calls `work(lanes, located)` with the lanes, together if their addresses lie in one region, else one by one. Throws
/// Fault for an address that is misaligned, out of bounds or not to be written. `alignment`: 0 for that of `bytes`.
template <typename Work>
void with_located(Warp& warp, Where where, const Addresses& addresses, Lanes lanes, std::uint32_t bytes, Access access,
                  Work work, Strength strength = Strength::weak, std::uint32_t alignment = 0);

/// All lanes in one region and aligned?
[[nodiscard]] bool locate_together(Warp& warp, Where where, const Addresses& addresses, Lanes lanes,
                                   std::uint32_t bytes, Access access, Located& located, std::uint32_t alignment);
/// Throws Fault if that lane's address is not to be accessed. `alignment`: 0 for that of `bytes`.
[[nodiscard]] Located locate(Warp& warp, Where where, std::uint64_t address, unsigned lane, std::uint32_t bytes,
                             Access access, std::uint32_t alignment = 0);

/// As with_located() while accesses are watched: calls `work(lane, located)`.
class Noted {
public:
    Noted(Warp& warp, Where where, const Addresses& addresses, Lanes lanes, std::uint32_t bytes, Access access,
          Strength strength, std::uint32_t alignment);

    template <typename Work> void each_lane(Work work) {
        each(lanes_, [&](unsigned lane) {
            before(lane);
            work(Lanes{1} << lane, located_[lane]);
            after(lane);
        });
    }

private:
    void before(unsigned lane);
    void after(unsigned lane);

    Warp& warp_;
    const Addresses& addresses_;
    Lanes lanes_;
    std::uint32_t bytes_;
    Access access_;
    bool looks_for_races_;
    std::array<Located, warp_size> located_;
    Suspect suspect_;
};

template <typename Work>
void with_located(Warp& warp, Where where, const Addresses& addresses, Lanes lanes, std::uint32_t bytes, Access access,
                  Work work, Strength strength, std::uint32_t alignment) {
    if (warp.watch() != nullptr) [[unlikely]] {
        Noted(warp, where, addresses, lanes, bytes, access, strength, alignment).each_lane(work);
        return;
    }
    Located located;
    if (locate_together(warp, where, addresses, lanes, bytes, access, located, alignment)) {
        work(lanes, located);
        return;
    }
    each(lanes, [&](unsigned lane) {
        work(Lanes{1} << lane, locate(warp, where, addresses[lane], lane, bytes, access, alignment));
    });
}

/// Takes the state space among the modifiers; generic if none is named. ".param" is not taken.
[[nodiscard]] Where take_where(Instruction& instruction);
[[nodiscard]] AddressOperand address_operand(const Instruction& instruction, const ptx::Operand& operand);
/// Notes the address operand in the instruction's step: a, immediate, flag (32-bit addresses), number (1: in the local
/// frame).
void encode_address(Instruction& instruction, const ptx::Operand& operand);

} // namespace cudabench::cpu
