#pragma once

#include "executor/cpu/code.h"
#include "executor/cpu/modifiers.h"
#include "ptx/module.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace cudabench::cpu {

/// Thrown while decoding; decode_kernel() turns it into a Failure.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The function that is being decoded: what its names stand for. Implemented by the decoder.
class Names {
public:
    virtual ~Names() = default;
    [[nodiscard]] virtual Place register_place(std::uint32_t index) const = 0;
    [[nodiscard]] virtual ptx::Type register_type(std::uint32_t index) const = 0;
    /// A value that all lanes share, of 2, 4, 8 or 16 bytes a lane.
    virtual Place constant(std::uint64_t low, std::uint64_t high, std::uint32_t bytes) = 0;
    [[nodiscard]] virtual const ptx::Variable& variable(std::uint32_t index) const = 0;
    /// A variable of shared memory (its offset there) or of local memory (in the function's local frame).
    [[nodiscard]] virtual std::uint64_t variable_offset(std::uint32_t index) const = 0;
    /// The storage of a .param variable of a function; nothing for a parameter of the kernel.
    [[nodiscard]] virtual const Passed* passed(std::uint32_t index) const = 0;
    /// Of a symbol of the module: its address, for shared variables the offset. Throws Unsupported.
    [[nodiscard]] virtual std::uint64_t symbol_value(std::string_view name) const = 0;
    [[nodiscard]] virtual bool is_shared_symbol(std::string_view name) const = 0;
    [[nodiscard]] virtual bool in_kernel() const = 0;
    [[nodiscard]] virtual const std::vector<ptx::Operand>& branch_targets(std::uint32_t index) const = 0;
    /// Index of Callable; the function will be decoded too. Throws Unsupported.
    virtual std::uint32_t callee(std::string_view name) = 0;
    virtual Code& code() = 0;
};

/// One PTX instruction on its way to become a step.
class Instruction {
public:
    Instruction(const ptx::Instruction& parsed, Names& names);

    Modifiers modifiers;
    Step step; ///< what emit() adds; guard set

    [[nodiscard]] std::string_view opcode() const { return parsed_.opcode; }
    [[nodiscard]] std::size_t size() const { return parsed_.operands.size(); }
    [[nodiscard]] const ptx::Operand& operand(std::size_t i) const;
    [[nodiscard]] bool is(std::size_t i, ptx::Operand::Kind kind) const { return operand(i).kind == kind; }
    [[nodiscard]] Names& names() const { return names_; }

    /// The type among the modifiers; unsupported without one.
    ptx::Type type();

    /// A value to read, of the size of `type`. 8-bit types are held in 16 bits.
    [[nodiscard]] Place source(const ptx::Operand& operand, ptx::Type type) const;
    [[nodiscard]] Place source(std::size_t i, ptx::Type type) const { return source(operand(i), type); }
    /// A register to write, of the size of `type`. `_` gives a place that nobody reads.
    [[nodiscard]] Place destination(const ptx::Operand& operand, ptx::Type type) const;
    [[nodiscard]] Place destination(std::size_t i, ptx::Type type) const { return destination(operand(i), type); }
    /// Bytes a lane of a register operand; 0 of a predicate or what is no register.
    [[nodiscard]] std::uint32_t held_bytes(const ptx::Operand& operand) const;
    [[nodiscard]] Place predicate(const ptx::Operand& operand) const;

    void emit(Handler handler);
    [[noreturn]] void unsupported() const;

    /// The instruction's step is finished; every modifier must have been taken.
    [[nodiscard]] bool emitted() const { return emitted_; }

private:
    const ptx::Instruction& parsed_;
    Names& names_;
    bool emitted_ = false;
};

/// Decodes an instruction of some opcode. Throws Unsupported.
using Decoder = void (*)(Instruction&);

/// The decoder of an opcode; null if there is none.
[[nodiscard]] Decoder decoder_of(std::string_view opcode);

} // namespace cudabench::cpu
