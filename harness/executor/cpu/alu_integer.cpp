#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"

#include <bit>
#include <limits>

/// Integer arithmetic, PTX section "Integer Arithmetic".
namespace cudabench::cpu {
namespace {

using ptx::Type;
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

template <typename T> using Unsigned = std::make_unsigned_t<T>;
template <std::size_t bytes> struct WiderOf;
template <> struct WiderOf<2> { using type = int32_t; };
template <> struct WiderOf<4> { using type = int64_t; };
template <> struct WiderOf<8> { __extension__ using type = __int128; };
template <typename T> using SignedWider = typename WiderOf<sizeof(T)>::type;
template <typename T> struct Widened { using type = SignedWider<T>; };
template <> struct Widened<uint16_t> { using type = uint32_t; };
template <> struct Widened<uint32_t> { using type = uint64_t; };
template <> struct Widened<uint64_t> { __extension__ using type = unsigned __int128; };
template <typename T> using Wider = typename Widened<T>::type;

/// Wraps around, whatever the type.
template <typename T> T add(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)));
}
template <typename T> T subtract(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)));
}
template <typename T> T low_product(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)));
}
template <typename T> T high_product(T a, T b) {
    return static_cast<T>((static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)) >> (8 * sizeof(T)));
}
template <typename T> Wider<T> wide_product(T a, T b) {
    return static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b);
}
template <typename T> T low_multiply_add(T a, T b, T c) {
    return add(low_product(a, b), c);
}
template <typename T> T high_multiply_add(T a, T b, T c) {
    return add(high_product(a, b), c);
}
template <typename T> Wider<T> wide_multiply_add(T a, T b, Wider<T> c) {
    return add(wide_product(a, b), c);
}
template <typename T> T saturate(SignedWider<T> value) {
    using L = std::numeric_limits<T>;
    return static_cast<T>(value < L::min() ? L::min() : value > L::max() ? L::max() : value);
}
int32_t saturated_add(int32_t a, int32_t b) {
    return saturate<int32_t>(int64_t{a} + b);
}
int32_t saturated_subtract(int32_t a, int32_t b) {
    return saturate<int32_t>(int64_t{a} - b);
}
int32_t saturated_high_multiply_add(int32_t a, int32_t b, int32_t c) {
    return saturate<int32_t>(int64_t{high_product(a, b)} + c);
}
template <typename T> T low_product_24(T a, T b) {
    constexpr int unused = 8;
    const T x = static_cast<T>(static_cast<uint32_t>(a) << unused) >> unused;
    const T y = static_cast<T>(static_cast<uint32_t>(b) << unused) >> unused;
    return low_product(x, y);
}
template <typename T> T high_product_24(T a, T b) {
    constexpr int unused = 8;
    const T x = static_cast<T>(static_cast<uint32_t>(a) << unused) >> unused;
    const T y = static_cast<T>(static_cast<uint32_t>(b) << unused) >> unused;
    return static_cast<T>((static_cast<Wider<T>>(x) * static_cast<Wider<T>>(y)) >> 16);
}
template <typename T> T low_multiply_add_24(T a, T b, T c) {
    return add(low_product_24(a, b), c);
}
template <typename T> T high_multiply_add_24(T a, T b, T c) {
    return add(high_product_24(a, b), c);
}
template <typename T> T sum_of_difference(T a, T b, T c) {
    return add(c, a < b ? subtract(b, a) : subtract(a, b));
}
/// Division by zero and its remainder give all ones on a GPU.
template <typename T> T quotient(T a, T b) {
    if (b == 0)
        return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
        if (b == -1)
            return subtract(T{0}, a);
    return static_cast<T>(a / b);
}
template <typename T> T remainder(T a, T b) {
    if (b == 0)
        return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
        if (b == -1)
            return 0;
    return static_cast<T>(a % b);
}
template <typename T> T magnitude(T a) {
    return a < 0 ? subtract(T{0}, a) : a;
}
template <typename T> T negate(T a) {
    return subtract(T{0}, a);
}
template <typename T> T smaller(T a, T b) {
    return b < a ? b : a;
}
template <typename T> T larger(T a, T b) {
    return a < b ? b : a;
}
int32_t smaller_not_negative(int32_t a, int32_t b) {
    return larger(smaller(a, b), 0);
}
int32_t larger_not_negative(int32_t a, int32_t b) {
    return larger(larger(a, b), 0);
}
template <typename A, typename B> int32_t dot_4(uint32_t a, uint32_t b, int32_t c) {
    auto sum = static_cast<uint32_t>(c);
    for (unsigned i = 0; i < 4; ++i)
        sum += static_cast<uint32_t>(int32_t{static_cast<A>(a >> (8 * i))} * int32_t{static_cast<B>(b >> (8 * i))});
    return static_cast<int32_t>(sum);
}
template <typename A, typename B, unsigned from> int32_t dot_2(uint32_t a, uint32_t b, int32_t c) {
    auto sum = static_cast<uint32_t>(c);
    for (unsigned i = 0; i < 2; ++i)
        sum += static_cast<uint32_t>(int64_t{static_cast<A>(a >> (16 * i))} *
                                     int64_t{static_cast<B>(b >> (8 * (i + from)))});
    return static_cast<int32_t>(sum);
}

/// Additions with the carry of extended precision: `take` reads it, `give` writes it.
enum class Extended : std::uint8_t { sum, difference, low_multiply, high_multiply };
template <typename T, Extended kind, bool take, bool give> struct WithCarry {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const T* const a = warp.at<T>(step.a);
        const T* const b = warp.at<T>(step.b);
        const T* const c = warp.at<T>(step.c);
        const Lanes before = warp.carry();
        Lanes after = 0;
        alignas(64) T result[warp_size];
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const T in = take && has(before, lane) ? 1 : 0;
            T sum = 0;
            bool carried = false;
            if constexpr (kind == Extended::difference) {
                carried = a[lane] < b[lane] || a[lane] - b[lane] < in;
                sum = a[lane] - b[lane] - in;
            } else {
                T x = a[lane];
                T y = b[lane];
                if constexpr (kind == Extended::low_multiply || kind == Extended::high_multiply) {
                    x = kind == Extended::low_multiply ? low_product(a[lane], b[lane]) : high_product(a[lane], b[lane]);
                    y = c[lane];
                }
                sum = x + y + in;
                carried = sum < x || (in != 0 && sum == x);
            }
            result[lane] = sum;
            after |= static_cast<Lanes>(carried) << lane;
        }
        detail::put(warp.at<T>(step.d), result, lanes, warp.whole(lanes));
        if (give)
            warp.carry() = (before & ~lanes) | (after & lanes);
    }
};

template <Extended kind, bool take> Handler with_carry(Type type, bool give) {
    return by_type<uint32_t, uint64_t>(type == Type::s32   ? Type::u32
                                       : type == Type::s64 ? Type::u64
                                                           : type,
                                       [&]<typename T>() {
                                           return give ? handler<WithCarry<T, kind, take, true>>()
                                                       : handler<WithCarry<T, kind, take, false>>();
                                       });
}

void decode_add_or_subtract(Instruction& i, bool subtracts, bool takes_carry) {
    const bool saturates = i.modifiers.take("sat");
    const bool gives_carry = i.modifiers.take("cc");
    const Type type = i.type();
    take_operands(i, type, 2);
    if (gives_carry || takes_carry) {
        if (saturates)
            i.unsupported();
        Handler found = nullptr;
        if (subtracts)
            found = takes_carry ? with_carry<Extended::difference, true>(type, gives_carry)
                                : with_carry<Extended::difference, false>(type, gives_carry);
        else
            found = takes_carry ? with_carry<Extended::sum, true>(type, gives_carry)
                                : with_carry<Extended::sum, false>(type, gives_carry);
        i.emit(found);
        return;
    }
    if (saturates) {
        if (type != Type::s32)
            i.unsupported();
        i.emit(subtracts ? elementwise<&saturated_subtract>() : elementwise<&saturated_add>());
        return;
    }
    i.emit(by_type<uint16_t, uint32_t, uint64_t>(as_unsigned(type), [&]<typename T>() {
        return subtracts ? elementwise<&subtract<T>>() : elementwise<&add<T>>();
    }));
}

Type widened(Instruction& i, Type type) {
    switch (type) {
    case Type::u16: return Type::u32;
    case Type::s16: return Type::s32;
    case Type::u32: return Type::u64;
    case Type::s32: return Type::s64;
    default: i.unsupported();
    }
}

} // namespace

void decode_integer_add(Instruction& i) {
    decode_add_or_subtract(i, false, false);
}
void decode_addc(Instruction& i) {
    decode_add_or_subtract(i, false, true);
}
void decode_integer_sub(Instruction& i) {
    decode_add_or_subtract(i, true, false);
}
void decode_subc(Instruction& i) {
    decode_add_or_subtract(i, true, true);
}

void decode_integer_mul(Instruction& i) {
    const std::string_view part = i.modifiers.take_one({"lo", "hi", "wide"});
    const Type type = i.type();
    if (part == "wide") {
        if (i.size() != 3)
            i.unsupported();
        i.step.d = i.destination(0, widened(i, type));
        i.step.a = i.source(1, type);
        i.step.b = i.source(2, type);
        i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t>(
            type, []<typename T>() { return elementwise<&wide_product<T>>(); }));
        return;
    }
    take_operands(i, type, 2);
    if (part == "hi")
        i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
            type, []<typename T>() { return elementwise<&high_product<T>>(); }));
    else
        i.emit(by_type<uint16_t, uint32_t, uint64_t>(as_unsigned(type),
                                                     []<typename T>() { return elementwise<&low_product<T>>(); }));
}

void decode_integer_mad(Instruction& i) {
    const bool takes_carry = i.opcode() == "madc";
    const std::string_view part = i.modifiers.take_one({"lo", "hi", "wide"});
    const bool saturates = i.modifiers.take("sat");
    const bool gives_carry = i.modifiers.take("cc");
    const Type type = i.type();
    if (part == "wide") {
        if (i.size() != 4 || takes_carry || gives_carry || saturates)
            i.unsupported();
        const Type wide = widened(i, type);
        i.step.d = i.destination(0, wide);
        i.step.a = i.source(1, type);
        i.step.b = i.source(2, type);
        i.step.c = i.source(3, wide);
        i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t>(
            type, []<typename T>() { return elementwise<&wide_multiply_add<T>>(); }));
        return;
    }
    take_operands(i, type, 3);
    if (takes_carry || gives_carry) {
        if (saturates || (part == "hi" && ptx::is_signed(type)))
            i.unsupported();
        Handler found = nullptr;
        if (part == "hi")
            found = takes_carry ? with_carry<Extended::high_multiply, true>(type, gives_carry)
                                : with_carry<Extended::high_multiply, false>(type, gives_carry);
        else
            found = takes_carry ? with_carry<Extended::low_multiply, true>(type, gives_carry)
                                : with_carry<Extended::low_multiply, false>(type, gives_carry);
        i.emit(found);
    } else if (saturates) {
        if (type != Type::s32 || part != "hi")
            i.unsupported();
        i.emit(elementwise<&saturated_high_multiply_add>());
    } else if (part == "hi") {
        i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
            type, []<typename T>() { return elementwise<&high_multiply_add<T>>(); }));
    } else {
        i.emit(by_type<uint16_t, uint32_t, uint64_t>(as_unsigned(type),
                                                     []<typename T>() { return elementwise<&low_multiply_add<T>>(); }));
    }
}

void decode_mul24(Instruction& i) {
    const bool high = i.modifiers.take_one({"lo", "hi"}) == "hi";
    const Type type = i.type();
    take_operands(i, type, 2);
    i.emit(by_type<uint32_t, int32_t>(type, [&]<typename T>() {
        return high ? elementwise<&high_product_24<T>>() : elementwise<&low_product_24<T>>();
    }));
}

void decode_mad24(Instruction& i) {
    const bool high = i.modifiers.take_one({"lo", "hi"}) == "hi";
    const Type type = i.type();
    take_operands(i, type, 3);
    i.emit(by_type<uint32_t, int32_t>(type, [&]<typename T>() {
        return high ? elementwise<&high_multiply_add_24<T>>() : elementwise<&low_multiply_add_24<T>>();
    }));
}

void decode_sad(Instruction& i) {
    const Type type = i.type();
    take_operands(i, type, 3);
    i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
        type, []<typename T>() { return elementwise<&sum_of_difference<T>>(); }));
}

void decode_integer_div(Instruction& i) {
    const Type type = i.type();
    take_operands(i, type, 2);
    i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
        type, []<typename T>() { return elementwise<&quotient<T>>(); }));
}

void decode_rem(Instruction& i) {
    const Type type = i.type();
    take_operands(i, type, 2);
    i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
        type, []<typename T>() { return elementwise<&remainder<T>>(); }));
}

void decode_integer_abs(Instruction& i) {
    const Type type = i.type();
    take_operands(i, type, 1);
    i.emit(by_type<int16_t, int32_t, int64_t>(type, []<typename T>() { return elementwise<&magnitude<T>>(); }));
}

void decode_integer_neg(Instruction& i) {
    const Type type = i.type();
    take_operands(i, type, 1);
    i.emit(by_type<int16_t, int32_t, int64_t>(type, []<typename T>() { return elementwise<&negate<T>>(); }));
}

void decode_integer_min_max(Instruction& i) {
    const bool minimum = i.opcode() == "min";
    const bool not_negative = i.modifiers.take("relu");
    const Type type = i.type();
    take_operands(i, type, 2);
    if (not_negative) {
        if (type != Type::s32)
            i.unsupported();
        i.emit(minimum ? elementwise<&smaller_not_negative>() : elementwise<&larger_not_negative>());
        return;
    }
    i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
        type, [&]<typename T>() { return minimum ? elementwise<&smaller<T>>() : elementwise<&larger<T>>(); }));
}

void decode_dp4a(Instruction& i) {
    const Type a = i.type();
    const Type b = i.type();
    take_operands(i, Type::b32, 3);
    const bool signed_a = a == Type::s32;
    const bool signed_b = b == Type::s32;
    if ((!signed_a && a != Type::u32) || (!signed_b && b != Type::u32))
        i.unsupported();
    using s8 = std::int8_t;
    using u8 = std::uint8_t;
    i.emit(signed_a ? (signed_b ? elementwise<&dot_4<s8, s8>>() : elementwise<&dot_4<s8, u8>>())
                    : (signed_b ? elementwise<&dot_4<u8, s8>>() : elementwise<&dot_4<u8, u8>>()));
}

void decode_dp2a(Instruction& i) {
    const bool high = i.modifiers.take_one({"lo", "hi"}) == "hi";
    const Type a = i.type();
    const Type b = i.type();
    take_operands(i, Type::b32, 3);
    const bool signed_a = a == Type::s32;
    const bool signed_b = b == Type::s32;
    if ((!signed_a && a != Type::u32) || (!signed_b && b != Type::u32))
        i.unsupported();
    using s8 = std::int8_t;
    using u8 = std::uint8_t;
    const auto choose = [&]<typename A>() {
        if (high)
            return signed_b ? elementwise<&dot_2<A, s8, 2>>() : elementwise<&dot_2<A, u8, 2>>();
        return signed_b ? elementwise<&dot_2<A, s8, 0>>() : elementwise<&dot_2<A, u8, 0>>();
    };
    i.emit(signed_a ? choose.operator()<int16_t>() : choose.operator()<uint16_t>());
}

} // namespace cudabench::cpu
