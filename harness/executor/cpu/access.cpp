#include "executor/cpu/access.h"

#include "executor/cpu/grid.h"
#include "executor/cpu/watch.h"
#include "executor/cpu/windows.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudabench::cpu {
namespace {

struct Span {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    std::uint64_t bits = 0; ///< of all addresses
};

Span span_of(const Addresses& addresses, Lanes lanes) {
    Span span;
    if (lanes == all_lanes) {
        for (const std::uint64_t address : addresses) {
            span.least = std::min(span.least, address);
            span.most = std::max(span.most, address);
            span.bits |= address;
        }
        return span;
    }
    each(lanes, [&](unsigned lane) {
        span.least = std::min(span.least, addresses[lane]);
        span.most = std::max(span.most, addresses[lane]);
        span.bits |= addresses[lane];
    });
    return span;
}

/// The window of a generic address, or global memory.
Where space_of(std::uint64_t address) {
    if (in_window(address, shared_window))
        return Where::shared;
    if (in_window(address, local_window))
        return Where::local;
    return in_window(address, parameter_window) ? Where::parameter : Where::global;
}

std::uint64_t window_of(Where where) {
    switch (where) {
    case Where::shared: return shared_window;
    case Where::local: return local_window;
    case Where::parameter: return parameter_window;
    default: return 0;
    }
}

std::uint64_t bytes_of(const Warp& warp, Where where) {
    switch (where) {
    case Where::shared: return warp.shared_bytes();
    case Where::local: return warp.local_stride();
    default: return warp.grid().parameters.size();
    }
}

Located in_space(const Warp& warp, Where where) {
    switch (where) {
    case Where::shared: return {reinterpret_cast<std::uintptr_t>(warp.shared()), 0, where};
    case Where::local: return {reinterpret_cast<std::uintptr_t>(warp.local()), warp.local_stride(), where};
    default: return {reinterpret_cast<std::uintptr_t>(warp.grid().parameters.data()), 0, Where::parameter};
    }
}

Located in_region(const Region& region) {
    return {reinterpret_cast<std::uintptr_t>(region.host) - region.begin, 0, Where::global, &region};
}

/// The region of these addresses; the last one first.
const Region* region_of(Warp& warp, std::uint64_t address, std::uint64_t bytes) {
    const Region*& last = warp.region();
    if (last == nullptr || !last->holds(address, bytes)) {
        const Region* const found = warp.grid().memory->find(address, bytes);
        if (found == nullptr)
            return nullptr;
        last = found;
    }
    return last;
}

std::string_view name(Where where) {
    switch (where) {
    case Where::shared: return "shared memory";
    case Where::local: return "local memory";
    case Where::parameter: return "a parameter";
    default: return "global memory";
    }
}

std::string_view name(Access access) {
    return access == Access::read ? "read" : access == Access::write ? "write" : "atomic operation";
}

/// What lies nearest, e.g. ", 4 bytes behind the end of output".
std::string neighbourhood(const Memory& memory, std::uint64_t address) {
    std::string text;
    std::uint64_t nearest = std::uint64_t{1} << 30;
    for (const Region& region : memory.regions()) {
        if (address >= region.end && address - region.end < nearest) {
            nearest = address - region.end;
            text = fmt::format(", {} bytes behind the end of {}", nearest, region.name);
        } else if (address < region.begin && region.begin - address < nearest) {
            nearest = region.begin - address;
            text = fmt::format(", {} bytes before the start of {}", nearest, region.name);
        } else if (address >= region.begin && address < region.end) {
            return fmt::format(", across the end of {}", region.name);
        }
    }
    return text;
}

[[noreturn]] void refuse(const Warp& warp, Where where, std::uint64_t address, unsigned lane, std::uint32_t bytes,
                         Access access, std::uint32_t alignment) {
    if (address % alignment != 0)
        throw Fault(fmt::format("misaligned address: {} of {} bytes at 0x{:x} in {}", name(access), bytes, address,
                                name(where)),
                    lane);
    if (where != Where::global)
        throw Fault(fmt::format("illegal memory access: {} of {} bytes at offset 0x{:x} of {}, which has {} bytes",
                                name(access), bytes, address, name(where), bytes_of(warp, where)),
                    lane);
    const Memory& memory = *warp.grid().memory;
    const Region* const region = memory.find(address, bytes);
    if (region != nullptr)
        throw Fault(fmt::format("illegal memory access: {} of {} bytes at 0x{:x}, in {}, which must not be written",
                                name(access), bytes, address, region->name),
                    lane);
    throw Fault(fmt::format("illegal memory access: {} of {} bytes at 0x{:x}{}", name(access), bytes, address,
                            neighbourhood(memory, address)),
                lane);
}

} // namespace

Addresses addresses_of(Warp& warp, const Step& step, Lanes) {
    Addresses addresses;
    const auto offset = static_cast<std::uint64_t>(step.immediate) + (step.number != 0 ? warp.local_frame() : 0);
    if (step.flag) {
        const auto* const base = warp.at<std::uint32_t>(step.a);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            addresses[lane] = static_cast<std::uint32_t>(base[lane] + offset);
    } else {
        const auto* const base = warp.at<std::uint64_t>(step.a);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            addresses[lane] = base[lane] + offset;
    }
    return addresses;
}

Addresses addresses_of(const Warp& warp, const AddressOperand& operand) {
    Addresses addresses;
    const auto offset = static_cast<std::uint64_t>(operand.offset);
    for (unsigned lane = 0; lane < warp_size; ++lane)
        addresses[lane] = operand.narrow
                              ? static_cast<std::uint32_t>(warp.at<std::uint32_t>(operand.base)[lane] + offset)
                              : warp.at<std::uint64_t>(operand.base)[lane] + offset;
    return addresses;
}

namespace {

/// Whether all bytes of a span may be accessed; then also where they lie. The span is aligned.
bool locate_span(Warp& warp, Where where, const Span& span, std::uint32_t bytes, Access access, Located& located) {
    std::uint64_t window = 0;
    if (where == Where::generic) {
        where = space_of(span.least);
        if (where != space_of(span.most))
            return false;
        window = window_of(where);
    }
    if (where == Where::global) {
        const Region* const region = region_of(warp, span.least, span.most - span.least + bytes);
        if (region == nullptr || (access != Access::read && !region->writable))
            return false;
        located = in_region(*region);
        return true;
    }
    const std::uint64_t size = bytes_of(warp, where);
    const std::uint64_t offset = span.most - window;
    if (offset > size || bytes > size - offset || (where == Where::parameter && access != Access::read))
        return false;
    located = in_space(warp, where);
    located.base -= window;
    return true;
}

} // namespace

bool locate_together(Warp& warp, Where where, const Addresses& addresses, Lanes lanes, std::uint32_t bytes,
                     Access access, Located& located, std::uint32_t alignment) {
    const Span span = span_of(addresses, lanes);
    return span.bits % (alignment == 0 ? bytes : alignment) == 0 &&
           locate_span(warp, where, span, bytes, access, located);
}

Located locate(Warp& warp, Where where, std::uint64_t address, unsigned lane, std::uint32_t bytes, Access access,
               std::uint32_t alignment) {
    alignment = alignment == 0 ? bytes : alignment;
    Located located;
    if (address % alignment != 0 || !locate_span(warp, where, {address, address, address}, bytes, access, located)) {
        const Where space = where == Where::generic ? space_of(address) : where;
        refuse(warp, space, where == Where::generic ? address - window_of(space) : address, lane, bytes, access,
               alignment);
    }
    return located;
}

Noted::Noted(Warp& warp, Where where, const Addresses& addresses, Lanes lanes, std::uint32_t bytes, Access access,
             Strength strength, std::uint32_t alignment)
    : warp_(warp), addresses_(addresses), lanes_(lanes), bytes_(bytes), access_(access),
      looks_for_races_(strength == Strength::weak && warp.watch()->shared().findings().races) {
    each(lanes,
         [&](unsigned lane) { located_[lane] = locate(warp, where, addresses[lane], lane, bytes, access, alignment); });
    if (lanes != 0)
        warp.watch()->begin(warp, addresses, located_, lanes, bytes, access);
}

void Noted::before(unsigned lane) {
    if (looks_for_races_)
        suspect_ = warp_.watch()->before_lane(warp_, addresses_[lane], located_[lane], lane, bytes_, access_);
}

void Noted::after(unsigned lane) {
    if (looks_for_races_)
        warp_.watch()->after_lane(warp_, suspect_, addresses_[lane], located_[lane], lane, bytes_, access_);
}

Where take_where(Instruction& instruction) {
    const std::string_view word = instruction.modifiers.take_one({"global", "const", "shared", "shared::cta", "local"});
    if (word == "global" || word == "const")
        return Where::global;
    if (word == "local")
        return Where::local;
    return word.empty() ? Where::generic : Where::shared;
}

AddressOperand address_operand(const Instruction& instruction, const ptx::Operand& operand) {
    using Kind = ptx::Operand::Kind;
    if (operand.kind != Kind::address || operand.parts.size() != 1)
        instruction.unsupported();
    const ptx::Operand& base = operand.parts.front();
    const bool narrow = base.kind == Kind::reg && instruction.held_bytes(base) == 4;
    return {instruction.source(base, narrow ? ptx::Type::u32 : ptx::Type::u64), operand.offset, narrow};
}

void encode_address(Instruction& instruction, const ptx::Operand& operand) {
    using Kind = ptx::Operand::Kind;
    if (operand.kind != Kind::address || operand.parts.size() != 1)
        instruction.unsupported();
    const ptx::Operand& base = operand.parts.front();
    Step& step = instruction.step;
    step.immediate = operand.offset;
    if (base.kind == Kind::variable && instruction.names().variable(base.index).space == ptx::Space::local) {
        step.a = instruction.names().constant(instruction.names().variable_offset(base.index), 0, 8);
        step.number = 1;
        return;
    }
    step.flag = base.kind == Kind::reg && instruction.held_bytes(base) == 4;
    step.a = instruction.source(base, step.flag ? ptx::Type::u32 : ptx::Type::u64);
}

} // namespace cudabench::cpu
