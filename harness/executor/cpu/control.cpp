#include "executor/cpu/alu.h"
#include "executor/cpu/thread_fence.h"
#include "executor/cpu/warp.h"

#include <algorithm>

/// Branches, calls, barriers and fences: PTX sections "Control Flow" and "Parallel Synchronization and Communication".
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

void trap(Warp&, const Step&, Lanes lanes) {
    throw Fault("trap", first(lanes));
}

void fence(Warp& warp, const Step&, Lanes) {
    warp.looks_in_order();
    thread_fence(std::memory_order_seq_cst);
}

void nothing(Warp&, const Step&, Lanes) {}

void control(Instruction& i, Control what) {
    i.modifiers.take("uni");
    i.step.control = what;
    i.emit(nullptr);
}

Passed passed(const Instruction& i, const ptx::Operand& operand) {
    const Passed* const found = operand.kind == Kind::variable ? i.names().passed(operand.index) : nullptr;
    if (found == nullptr)
        i.unsupported();
    return *found;
}

void take_list(const Instruction& i, const ptx::Operand& list, std::vector<Passed>& to) {
    for (const ptx::Operand& operand : list.parts)
        to.push_back(passed(i, operand));
}

std::uint32_t target_of(const Instruction& i, const ptx::Operand& operand) {
    if (operand.kind != Kind::label)
        i.unsupported();
    return operand.index;
}

} // namespace

void decode_bra(Instruction& i) {
    i.step.target = target_of(i, i.operand(0));
    control(i, Control::branch);
}

void decode_brx(Instruction& i) {
    if (!i.modifiers.take("idx"))
        i.unsupported();
    std::vector<std::uint32_t> table;
    for (const ptx::Operand& target : i.names().branch_targets(target_of(i, i.operand(1))))
        table.push_back(target_of(i, target));
    i.step.a = i.source(0, Type::u32);
    i.step.target = static_cast<std::uint32_t>(i.names().code().tables.size());
    i.names().code().tables.push_back(std::move(table));
    control(i, Control::branch_indexed);
}

void decode_call(Instruction& i) {
    CallSite site;
    std::size_t at = 0;
    if (i.is(0, Kind::list) && i.size() > 1)
        take_list(i, i.operand(at++), site.results);
    const ptx::Operand& function = i.operand(at++);
    if (at < i.size() && i.is(at, Kind::list))
        take_list(i, i.operand(at++), site.arguments);
    if (function.kind == Kind::reg) {
        site.indirect = true;
        site.function = i.source(function, Type::u64);
    } else if (function.kind != Kind::symbol) {
        i.unsupported();
    } else if (function.name == "vprintf") {
        site.built = Built::print;
    } else if (function.name == "__assertfail") {
        site.built = Built::assertion;
    } else {
        site.callee = i.names().callee(function.name);
    }
    i.step.target = static_cast<std::uint32_t>(i.names().code().calls.size());
    i.names().code().calls.push_back(std::move(site));
    control(i, Control::call);
}

void decode_ret(Instruction& i) {
    control(i, Control::give_back);
}

void decode_exit(Instruction& i) {
    control(i, Control::finish);
}

void decode_trap(Instruction& i) {
    i.emit(&trap);
}

void decode_bar(Instruction& i) {
    if (i.modifiers.take("warp")) {
        if (!i.modifiers.take("sync"))
            i.unsupported();
        i.step.e = i.source(0, Type::b32);
        return control(i, Control::warp_barrier);
    }
    i.modifiers.take("cta");
    i.modifiers.take("aligned");
    const std::string_view what = i.modifiers.take_one({"sync", "arrive", "red"});
    BarrierSite site;
    site.waits = what != "arrive";
    std::size_t at = 0;
    std::size_t end = i.size();
    if (what == "red") {
        using Reduction = BarrierSite::Reduction;
        const std::string_view how = i.modifiers.take_one({"popc", "and", "or"});
        const Type type = i.type();
        site.reduction = how == "popc" ? Reduction::count : how == "and" ? Reduction::all : Reduction::any;
        if (how.empty() || type != (how == "popc" ? Type::u32 : Type::pred))
            i.unsupported();
        site.destination = how == "popc" ? i.destination(at++, type) : i.predicate(i.operand(at++));
        const ptx::Operand& predicate = i.operand(--end);
        site.predicate = i.predicate(predicate);
        site.negated = predicate.negated;
    } else if (what.empty()) {
        i.unsupported();
    }
    site.barrier = i.source(at++, Type::u32);
    site.counted = at < end;
    if (site.counted)
        site.threads = i.source(at++, Type::u32);
    if (at != end || (!site.waits && !site.counted))
        i.unsupported();
    i.step.target = static_cast<std::uint32_t>(i.names().code().barriers.size());
    i.names().code().barriers.push_back(site);
    control(i, Control::barrier);
}

void decode_fence(Instruction& i) {
    if (i.modifiers.take("proxy")) { // there is but one way to memory
        while (!i.modifiers.empty())
            i.modifiers.take_first();
        return i.emit(&nothing);
    }
    i.modifiers.take_one({"sc", "acq_rel", "acquire", "release"});
    i.modifiers.take_one({"cta", "gl", "sys", "gpu", "cluster"});
    i.emit(&fence);
}

void decode_nanosleep(Instruction& i) {
    i.modifiers.take("u32");
    i.step.control = Control::pause;
    i.emit(nullptr);
}

} // namespace cudabench::cpu
