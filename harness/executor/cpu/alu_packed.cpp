#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"

#include <algorithm>

/// Integer arithmetic on the parts of a 32-bit register, PTX sections "Integer Arithmetic" and "Video Instructions".
namespace cudabench::cpu {
namespace {

using ptx::Type;
using std::int16_t;
using std::int32_t;
using std::uint16_t;
using std::uint32_t;
using std::uint8_t;

/// The bits of a part, as the number that T makes of them.
template <typename T> int32_t part(uint32_t packed, unsigned index) {
    return static_cast<T>(packed >> (8 * sizeof(T) * index));
}

template <typename T, typename Apply> uint32_t each(uint32_t a, uint32_t b, Apply apply) {
    uint32_t packed = 0;
    for (unsigned i = 0; i < sizeof(uint32_t) / sizeof(T); ++i) {
        const auto bits = static_cast<std::make_unsigned_t<T>>(apply(part<T>(a, i), part<T>(b, i)));
        packed |= uint32_t{bits} << (8 * sizeof(T) * i);
    }
    return packed;
}

template <typename T> uint32_t sums(uint32_t a, uint32_t b) {
    return each<T>(a, b, [](int32_t x, int32_t y) { return x + y; });
}
template <typename T> uint32_t smaller(uint32_t a, uint32_t b) {
    return each<T>(a, b, [](int32_t x, int32_t y) { return std::min(x, y); });
}
template <typename T> uint32_t larger(uint32_t a, uint32_t b) {
    return each<T>(a, b, [](int32_t x, int32_t y) { return std::max(x, y); });
}
uint32_t smaller_not_negative(uint32_t a, uint32_t b) {
    return each<int16_t>(a, b, [](int32_t x, int32_t y) { return std::max(std::min(x, y), 0); });
}
uint32_t larger_not_negative(uint32_t a, uint32_t b) {
    return each<int16_t>(a, b, [](int32_t x, int32_t y) { return std::max({x, y, 0}); });
}
template <typename T> uint32_t differences(uint32_t a, uint32_t b) {
    return each<T>(a, b, [](int32_t x, int32_t y) { return x < y ? y - x : x - y; });
}
template <typename T> uint32_t sum_of_differences(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned i = 0; i < sizeof(uint32_t) / sizeof(T); ++i) {
        const int32_t x = part<T>(a, i);
        const int32_t y = part<T>(b, i);
        c += static_cast<uint32_t>(x < y ? y - x : x - y);
    }
    return c;
}

} // namespace

void decode_packed_add(Instruction& i) {
    take_operands(i, i.type(), 2);
    i.emit(elementwise<&sums<uint16_t>>()); // wraps around, whatever the sign
}

void decode_packed_min_max(Instruction& i) {
    const bool minimum = i.opcode() == "min";
    const bool not_negative = i.modifiers.take("relu");
    const Type type = i.type();
    take_operands(i, type, 2);
    if (not_negative) {
        if (type != Type::s16x2)
            i.unsupported();
        i.emit(minimum ? elementwise<&smaller_not_negative>() : elementwise<&larger_not_negative>());
    } else if (type == Type::s16x2) {
        i.emit(minimum ? elementwise<&smaller<int16_t>>() : elementwise<&larger<int16_t>>());
    } else {
        i.emit(minimum ? elementwise<&smaller<uint16_t>>() : elementwise<&larger<uint16_t>>());
    }
}

void decode_vabsdiff(Instruction& i) {
    const bool halves = i.opcode() == "vabsdiff2";
    const bool adds = i.modifiers.take("add");
    for (int operand = 0; operand < 3; ++operand)
        if (i.type() != Type::u32)
            i.unsupported();
    take_operands(i, Type::u32, 3);
    if (adds)
        i.emit(halves ? elementwise<&sum_of_differences<uint16_t>>() : elementwise<&sum_of_differences<uint8_t>>());
    else // the third operand gives the parts that a mask of destinations leaves; there is no mask
        i.emit(halves ? elementwise<&differences<uint16_t>>() : elementwise<&differences<uint8_t>>());
}

} // namespace cudabench::cpu
