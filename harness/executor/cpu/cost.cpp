#include "executor/cpu/cost.h"

#include "executor/cpu/fragment.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace cudabench::cpu {
namespace {

using Words = std::span<const std::string_view>;

template <std::size_t n> bool among(std::string_view word, const std::array<std::string_view, n>& words) {
    return std::ranges::find(words, word) != words.end();
}

constexpr auto arithmetic = std::to_array<std::string_view>({"add", "sub", "mul", "div"});
constexpr auto fused = std::to_array<std::string_view>({"fma", "mad"});
constexpr auto comparing = std::to_array<std::string_view>({"min", "max", "set", "setp"});
constexpr auto special = std::to_array<std::string_view>({"rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh"});
constexpr auto whole = std::to_array<std::string_view>(
    {"abs", "add",  "addc", "and",  "bfe", "bfi",   "bfind", "bmsk", "brev", "clz",   "cnot",
     "div", "lop3", "max",  "min",  "mul", "mul24", "neg",   "not",  "or",   "popc",  "prmt",
     "rem", "sad",  "set",  "setp", "shf", "shl",   "shr",   "sub",  "subc", "szext", "xor"});

/// The type that is computed with: the last.
std::optional<ptx::Type> computed_type(Words words) {
    std::optional<ptx::Type> last;
    for (const std::string_view word : words)
        if (const auto type = ptx::type_named(word))
            last = type;
    return last;
}

bool is_pair(ptx::Type type) {
    return type == ptx::Type::f16x2 || type == ptx::Type::bf16x2;
}

Quantity pipe_of(ptx::Type type) {
    if (type == ptx::Type::f64)
        return Quantity::fp64;
    return type == ptx::Type::f32 ? Quantity::fp32 : Quantity::fp16;
}

Cost one(Quantity quantity, unsigned operations) {
    Cost cost;
    cost.parts[0] = {quantity, static_cast<std::uint16_t>(operations)};
    return cost;
}

Cost floating_cost(std::string_view opcode, ptx::Type type) {
    const unsigned elements = is_pair(type) ? 2 : 1;
    if (among(opcode, arithmetic)) {
        Cost cost = one(pipe_of(type), elements);
        if (opcode == "div" && type == ptx::Type::f32)
            cost.parts[1] = {Quantity::sfu, 1};
        return cost;
    }
    if (among(opcode, fused))
        return one(pipe_of(type), 2 * elements);
    if (among(opcode, comparing))
        return one(Quantity::comparisons, elements);
    if (among(opcode, special))
        return one(type == ptx::Type::f64 ? Quantity::fp64 : Quantity::sfu, elements);
    return {};
}

Cost whole_cost(std::string_view opcode) {
    if (opcode == "mad" || opcode == "madc" || opcode == "mad24")
        return one(Quantity::int32, 2);
    if (opcode == "dp4a")
        return one(Quantity::int32, 8);
    if (opcode == "dp2a")
        return one(Quantity::int32, 4);
    return among(opcode, whole) ? one(Quantity::int32, 1) : Cost{};
}

Quantity tensor_pipe(Element factor) {
    switch (factor) {
    case Element::tf32: return Quantity::tensor_tf32;
    case Element::f64: return Quantity::tensor_fp64;
    case Element::e4m3:
    case Element::e5m2: return Quantity::tensor_narrow;
    case Element::f16:
    case Element::bf16: return Quantity::tensor_half;
    default: return Quantity::tensor_int8;
    }
}

/// d, a, b, c are named, or d and c: then a and b are f16.
Cost matrix_cost(Words words) {
    std::optional<MatrixShape> shape;
    std::array<Element, 4> elements{};
    std::size_t named = 0;
    for (const std::string_view word : words) {
        if (!shape)
            shape = shape_named(word);
        if (const auto element = element_named(word); element && named < elements.size())
            elements[named++] = *element;
    }
    if (!shape || named < 2)
        return {};
    return one(tensor_pipe(named == 4 ? elements[1] : Element::f16), 2 * shape->m * shape->n * shape->k / warp_size);
}

/// An atomic operation, and what it computes.
Cost atomic_cost(Words words, std::optional<ptx::Type> type) {
    const auto vector =
        std::ranges::find_if(words, [](std::string_view w) { return w == "v2" || w == "v4" || w == "v8"; });
    const unsigned elements =
        (vector == words.end() ? 1U : static_cast<unsigned>((*vector)[1] - '0')) * (type && is_pair(*type) ? 2U : 1U);
    Cost cost = one(Quantity::atomics, 1);
    const bool adds = std::ranges::find(words, "add") != words.end();
    if (type && ptx::is_floating(*type))
        cost.parts[1] = {adds ? pipe_of(*type) : Quantity::comparisons, static_cast<std::uint16_t>(elements)};
    else
        cost.parts[1] = {Quantity::int32, static_cast<std::uint16_t>(elements)};
    return cost;
}

} // namespace

Cost cost_of(const ptx::Instruction& instruction) {
    const std::string_view opcode = instruction.opcode;
    const Words words = instruction.modifiers;
    if (opcode == "mma" || (opcode == "wmma" && std::ranges::find(words, "mma") != words.end()))
        return matrix_cost(words);
    const std::optional<ptx::Type> type = computed_type(words);
    if (opcode == "atom" || opcode == "red")
        return atomic_cost(words, type);
    if (!type)
        return {};
    return ptx::is_floating(*type) ? floating_cost(opcode, *type) : whole_cost(opcode);
}

} // namespace cudabench::cpu
