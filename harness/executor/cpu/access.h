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

/// Where the bytes of the lanes lie on the host: at base + address + lane x stride.
struct Located {
    std::uintptr_t base = 0;
    std::uintptr_t stride = 0;
    [[nodiscard]] std::byte* at(std::uint64_t address, unsigned lane) const {
        return reinterpret_cast<std::byte*>(base + address + lane * stride);
    }
};

/// Calls `work(lanes, located)` with the lanes, together if their addresses lie in one region, else one by one. Throws
/// Fault for an address that is misaligned, out of bounds or not to be written.
template <typename Work>
void with_located(Warp& warp, Where where, const Addresses& addresses, Lanes lanes, std::uint32_t bytes, Access access,
                  Work work);

/// All lanes in one region and aligned?
[[nodiscard]] bool locate_together(Warp& warp, Where where, const Addresses& addresses, Lanes lanes,
                                   std::uint32_t bytes, Access access, Located& located);
/// Throws Fault if that lane's address is not to be accessed.
[[nodiscard]] Located locate(Warp& warp, Where where, std::uint64_t address, unsigned lane, std::uint32_t bytes,
                             Access access);

template <typename Work>
void with_located(Warp& warp, Where where, const Addresses& addresses, Lanes lanes, std::uint32_t bytes, Access access,
                  Work work) {
    Located located;
    if (locate_together(warp, where, addresses, lanes, bytes, access, located)) {
        work(lanes, located);
        return;
    }
    each(lanes,
         [&](unsigned lane) { work(Lanes{1} << lane, locate(warp, where, addresses[lane], lane, bytes, access)); });
}

/// Takes the state space among the modifiers; generic if none is named. ".param" is not taken.
[[nodiscard]] Where take_where(Instruction& instruction);
/// Notes the address operand in the instruction's step: a, immediate, flag (32-bit addresses), number (1: in the local
/// frame).
void encode_address(Instruction& instruction, const ptx::Operand& operand);

} // namespace cudabench::cpu
