#include "executor/cpu/instruction.h"

#include "executor/cpu/registers.h"
#include "executor/cpu/special_registers.h"

#include <bit>

namespace cudabench::cpu {

using Kind = ptx::Operand::Kind;

Instruction::Instruction(const ptx::Instruction& parsed, Names& names)
    : modifiers(parsed.modifiers), parsed_(parsed), names_(names) {
    if (parsed.guarded) {
        step.guard = parsed.guard_negated ? Guard::if_clear : Guard::if_set;
        step.guarded_by = names.register_place(parsed.guard);
    }
}

const ptx::Operand& Instruction::operand(std::size_t i) const {
    if (i >= parsed_.operands.size())
        unsupported();
    return parsed_.operands[i];
}

ptx::Type Instruction::type() {
    const auto found = modifiers.take_type();
    if (!found)
        unsupported();
    return *found;
}

std::uint32_t Instruction::held_bytes(const ptx::Operand& operand) const {
    return operand.kind == Kind::reg ? lane_bytes(names_.register_type(operand.index)) : 0;
}

Place Instruction::source(const ptx::Operand& operand, ptx::Type type) const {
    const std::uint32_t bytes = lane_bytes(type);
    switch (operand.kind) {
    case Kind::reg:
        if (held_bytes(operand) != bytes)
            unsupported();
        return names_.register_place(operand.index);
    case Kind::integer: return names_.constant(operand.bits, (operand.bits >> 63) != 0 ? ~std::uint64_t{0} : 0, bytes);
    case Kind::single:
        if (type == ptx::Type::f64)
            return names_.constant(
                std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))}), 0,
                8);
        return names_.constant(operand.bits, 0, bytes);
    case Kind::real:
        if (bytes == 4)
            return names_.constant(
                std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits))), 0, 4);
        return names_.constant(operand.bits, 0, bytes);
    case Kind::special:
        if (const auto place = special_place(operand.name, bytes))
            return *place;
        unsupported();
    case Kind::variable:
        if (names_.variable(operand.index).space == ptx::Space::shared)
            return names_.constant(names_.variable_offset(operand.index) + static_cast<std::uint64_t>(operand.offset),
                                   0, bytes);
        unsupported();
    case Kind::symbol:
        return names_.constant(names_.symbol_value(operand.name) + static_cast<std::uint64_t>(operand.offset), 0,
                               bytes);
    default: unsupported();
    }
}

Place Instruction::destination(const ptx::Operand& operand, ptx::Type type) const {
    if (operand.kind == Kind::sink)
        return names_.code().sink;
    if (operand.kind != Kind::reg || held_bytes(operand) != lane_bytes(type))
        unsupported();
    return names_.register_place(operand.index);
}

Place Instruction::predicate(const ptx::Operand& operand) const {
    if (operand.kind == Kind::sink)
        return names_.code().sink;
    if (operand.kind != Kind::reg || names_.register_type(operand.index) != ptx::Type::pred)
        unsupported();
    return names_.register_place(operand.index);
}

void Instruction::emit(Handler handler) {
    if (!modifiers.empty() || (handler == nullptr && step.control == Control::straight))
        unsupported();
    step.run = handler;
    names_.code().steps.push_back(step);
    emitted_ = true;
}

void Instruction::unsupported() const {
    throw Unsupported(ptx::full_name(parsed_));
}

} // namespace cudabench::cpu
