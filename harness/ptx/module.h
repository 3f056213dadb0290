#pragma once

#include "ptx/type.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// PTX as a typed program. All names are views into the text that it was parsed from, which must outlive it.
namespace cudabench::ptx {

enum class Space : std::uint8_t { global, constant, shared, local, param };

[[nodiscard]] std::string_view name(Space space);

/// A place in an initial value that holds the address of a symbol.
struct Relocation {
    std::uint64_t offset = 0; ///< bytes, in the variable
    std::string_view symbol;
    std::int64_t addend = 0;
    std::uint32_t bytes = 8;      ///< how many bytes of the address are stored
    std::uint32_t first_byte = 0; ///< which byte of the address is stored first
};

/// A variable of any state space, also a parameter.
struct Variable {
    std::string_view name;
    Space space = Space::global;
    Type type = Type::b8;
    std::uint64_t bytes = 0;
    std::uint32_t alignment = 1;    ///< power of two
    bool external = false;          ///< .extern: of another module, or (shared) of the size that a launch gives
    std::vector<std::byte> initial; ///< at most `bytes`, the rest zeros
    std::vector<Relocation> relocations;
    std::uint32_t line = 0;
};

struct Register {
    std::string_view name;
    Type type = Type::b32;
};

/// What an instruction works on.
struct Operand {
    enum class Kind : std::uint8_t {
        none,
        reg,      ///< `index` into Function::registers
        integer,  ///< `bits`
        single,   ///< `bits` of a float
        real,     ///< `bits` of a double
        special,  ///< %tid.x: `name`
        variable, ///< `index` into Function::variables, plus `offset`
        symbol,   ///< of the module: `name`, plus `offset`
        label,    ///< `index` into Function::instructions
        address,  ///< [parts[0] + offset]; further parts are coordinates
        vector,   ///< {parts...}
        list,     ///< (parts...)
        pair,     ///< parts[0] | parts[1]
        sink,     ///< _
    };
    Kind kind = Kind::none;
    bool negated = false; ///< !p
    std::uint32_t index = 0;
    std::uint64_t bits = 0;
    std::int64_t offset = 0;
    std::string_view name;
    std::vector<Operand> parts;
};

struct Instruction {
    std::string_view opcode;
    std::vector<std::string_view> modifiers; ///< in order, without dots
    std::vector<Operand> operands;
    bool guarded = false;
    bool guard_negated = false;
    std::uint32_t guard = 0;       ///< index into Function::registers
    std::uint32_t line = 0;        ///< of the PTX text
    std::uint32_t source_line = 0; ///< of the CUDA source, by .loc; 0 unknown
    /// Of a load: the bytes that are used, a bit each (.pragma "used_bytes_mask"); ones where all are.
    std::uint32_t used_bytes = ~std::uint32_t{0};
};

struct Function {
    std::string_view name;
    bool entry = false;
    bool external = false; ///< declared, not defined
    std::vector<Variable> parameters;
    std::vector<Variable> returns;
    std::vector<Register> registers;
    std::vector<Variable> variables; ///< parameters, then returns, then those of the body in any scope
    std::vector<Instruction> instructions;
    std::vector<std::vector<Operand>> branch_targets; ///< of .branchtargets and .calltargets
    std::uint32_t max_threads = 0;                    ///< of .maxntid or .reqntid; 0: not bounded
    std::uint32_t cluster_blocks = 1;                 ///< of .reqnctapercluster
    std::uint32_t line = 0;
};

struct Module {
    std::uint32_t version = 0; ///< major x 10 + minor
    std::string_view target;   ///< e.g. "sm_90"
    std::vector<Variable> variables;
    std::vector<Function> functions;

    [[nodiscard]] const Function* function(std::string_view name) const; ///< a definition if there is one; null: none
    [[nodiscard]] const Variable* variable(std::string_view name) const; ///< null if there is none
};

/// "add.rn.f32"
[[nodiscard]] std::string full_name(const Instruction& instruction);

} // namespace cudabench::ptx
