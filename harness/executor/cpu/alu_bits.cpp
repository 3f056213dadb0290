#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"

#include <bit>
#include <limits>

/// Operations on bits, PTX sections "Integer Arithmetic" and "Logic and Shift".
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

template <typename T> uint32_t ones(T a) {
    return static_cast<uint32_t>(std::popcount(a));
}
template <typename T> uint32_t leading_zeros(T a) {
    return static_cast<uint32_t>(std::countl_zero(a));
}
/// Position of the highest bit that differs from the sign; all ones if there is none.
template <typename T, bool from_top> uint32_t highest_bit(T a) {
    auto bits = static_cast<Unsigned<T>>(a);
    if constexpr (std::is_signed_v<T>)
        if (a < 0)
            bits = static_cast<Unsigned<T>>(~bits);
    if (bits == 0)
        return ~uint32_t{0};
    const auto zeros = static_cast<uint32_t>(std::countl_zero(bits));
    return from_top ? zeros : static_cast<uint32_t>(8 * sizeof(T)) - 1 - zeros;
}
template <typename T> T reversed(T a) {
    T result = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i)
        result = static_cast<T>(result | (((a >> i) & 1U) << (8 * sizeof(T) - 1 - i)));
    return result;
}
template <typename T> T extract_field(T a, uint32_t position, uint32_t length) {
    constexpr uint32_t top = 8 * sizeof(T) - 1;
    const uint32_t pos = position & 0xFF;
    const uint32_t len = length & 0xFF;
    const auto bits = static_cast<Unsigned<T>>(a);
    bool sign = false;
    if constexpr (std::is_signed_v<T>)
        sign = len != 0 && ((bits >> (pos + len - 1 > top ? top : pos + len - 1)) & 1U) != 0;
    const Unsigned<T> shifted = pos > top ? 0 : static_cast<Unsigned<T>>(bits >> pos);
    const uint32_t valid = pos > top ? 0 : len < top + 1 - pos ? len : top + 1 - pos;
    const Unsigned<T> mask = valid > top ? ~Unsigned<T>{0} : static_cast<Unsigned<T>>((Unsigned<T>{1} << valid) - 1);
    return static_cast<T>(sign ? (shifted & mask) | ~mask : shifted & mask);
}
template <typename T> T low_ones(uint32_t length) {
    return length > 8 * sizeof(T) - 1 ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
}
uint32_t mask_clamped(uint32_t position, uint32_t length) {
    return position > 31 ? 0 : low_ones<uint32_t>(length) << position;
}
uint32_t mask_wrapped(uint32_t position, uint32_t length) {
    return low_ones<uint32_t>(length & 31) << (position & 31);
}
template <typename T, bool wrap> T extend_from(T a, uint32_t length) {
    if (!wrap && length >= 32)
        return a;
    const uint32_t len = length & 31;
    if (len == 0)
        return 0;
    return static_cast<T>(static_cast<T>(static_cast<uint32_t>(a) << (32 - len)) >> (32 - len));
}
template <typename T> T bits_and(T a, T b) {
    return static_cast<T>(a & b);
}
template <typename T> T bits_or(T a, T b) {
    return static_cast<T>(a | b);
}
template <typename T> T bits_xor(T a, T b) {
    return static_cast<T>(a ^ b);
}
template <typename T> T bits_not(T a) {
    return static_cast<T>(~a);
}
template <typename T> T is_zero(T a) {
    return a == 0 ? 1 : 0;
}
template <typename T> T shift_left(T a, uint32_t by) {
    return by > 8 * sizeof(T) - 1 ? T{0} : static_cast<T>(a << by);
}
template <typename T> T shift_right(T a, uint32_t by) {
    constexpr uint32_t top = 8 * sizeof(T) - 1;
    if constexpr (std::is_signed_v<T>)
        return static_cast<T>(a >> (by > top ? top : by));
    else
        return by > top ? T{0} : static_cast<T>(a >> by);
}
template <bool clamp> uint32_t funnel_left(uint32_t low, uint32_t high, uint32_t by) {
    const uint32_t n = clamp ? (by > 32 ? 32 : by) : by & 31;
    return static_cast<uint32_t>((((uint64_t{high} << 32) | low) << n) >> 32);
}
template <bool clamp> uint32_t funnel_right(uint32_t low, uint32_t high, uint32_t by) {
    const uint32_t n = clamp ? (by > 32 ? 32 : by) : by & 31;
    return static_cast<uint32_t>(((uint64_t{high} << 32) | low) >> n);
}
/// prmt without a mode: each nibble of the selector picks one of eight bytes, its top bit the sign of that byte.
uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = (uint64_t{b} << 32) | a;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const uint32_t pick = (selector >> (4 * i)) & 0xF;
        auto byte = static_cast<uint32_t>(bytes >> (8 * (pick & 7))) & 0xFF;
        if ((pick & 8) != 0)
            byte = (byte & 0x80) != 0 ? 0xFF : 0;
        result |= byte << (8 * i);
    }
    return result;
}
template <typename Pick> uint32_t permute_by(uint32_t a, uint32_t b, uint32_t selector, Pick pick) {
    const uint64_t bytes = (uint64_t{b} << 32) | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i)
        result |= (static_cast<uint32_t>(bytes >> (8 * pick(i, selector & 3))) & 0xFF) << (8 * i);
    return result;
}
uint32_t permute_forward(uint32_t a, uint32_t b, uint32_t selector) {
    return permute_by(a, b, selector, [](uint32_t i, uint32_t s) { return s + i; });
}
uint32_t permute_backward(uint32_t a, uint32_t b, uint32_t selector) {
    return permute_by(a, b, selector, [](uint32_t i, uint32_t s) { return (s - i) & 7; });
}
uint32_t permute_replicate_8(uint32_t a, uint32_t b, uint32_t selector) {
    return permute_by(a, b, selector, [](uint32_t, uint32_t s) { return s; });
}
uint32_t permute_replicate_16(uint32_t a, uint32_t b, uint32_t selector) {
    return permute_by(a, b, selector, [](uint32_t i, uint32_t s) { return (s & 1) * 2 + (i & 1); });
}
uint32_t permute_edge_left(uint32_t a, uint32_t b, uint32_t selector) {
    return permute_by(a, b, selector, [](uint32_t i, uint32_t s) { return i < s ? s : i; });
}
uint32_t permute_edge_right(uint32_t a, uint32_t b, uint32_t selector) {
    return permute_by(a, b, selector, [](uint32_t i, uint32_t s) { return i > s ? s : i; });
}

/// c with the low `length` bits of a at `position`: bfi has four sources.
template <typename T> struct InsertField {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const T* const a = warp.at<T>(step.a);
        const T* const b = warp.at<T>(step.b);
        const auto* const position = warp.at<uint32_t>(step.c);
        const auto* const length = warp.at<uint32_t>(step.e);
        alignas(64) T result[warp_size];
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const uint32_t pos = position[lane] & 0xFF;
            const uint32_t len = length[lane] & 0xFF;
            const T mask = pos > 8 * sizeof(T) - 1 ? T{0} : static_cast<T>(low_ones<T>(len) << pos);
            const T shifted = pos > 8 * sizeof(T) - 1 ? T{0} : static_cast<T>(a[lane] << pos);
            result[lane] = static_cast<T>((shifted & mask) | (b[lane] & ~mask));
        }
        detail::put(warp.at<T>(step.d), result, lanes, warp.whole(lanes));
    }
};

/// Any function of three bits, by its table.
struct Lookup3 {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const auto* const a = warp.at<uint32_t>(step.a);
        const auto* const b = warp.at<uint32_t>(step.b);
        const auto* const c = warp.at<uint32_t>(step.c);
        alignas(64) uint32_t result[warp_size] = {};
        for (unsigned entry = 0; entry < 8; ++entry) {
            if (((step.immediate >> entry) & 1) == 0)
                continue;
            const uint32_t not_a = (entry & 4) != 0 ? 0 : ~uint32_t{0};
            const uint32_t not_b = (entry & 2) != 0 ? 0 : ~uint32_t{0};
            const uint32_t not_c = (entry & 1) != 0 ? 0 : ~uint32_t{0};
            for (unsigned lane = 0; lane < warp_size; ++lane)
                result[lane] |= (a[lane] ^ not_a) & (b[lane] ^ not_b) & (c[lane] ^ not_c);
        }
        detail::put(warp.at<uint32_t>(step.d), result, lanes, warp.whole(lanes));
    }
};

} // namespace

void decode_popc_clz(Instruction& i) {
    const bool population = i.opcode() == "popc";
    const Type type = i.type();
    if (i.size() != 2)
        i.unsupported();
    i.step.d = i.destination(0, Type::u32);
    i.step.a = i.source(1, type);
    i.emit(by_type<uint32_t, uint64_t>(
        type, [&]<typename T>() { return population ? elementwise<&ones<T>>() : elementwise<&leading_zeros<T>>(); }));
}

void decode_bfind(Instruction& i) {
    const bool from_top = i.modifiers.take("shiftamt");
    const Type type = i.type();
    if (i.size() != 2)
        i.unsupported();
    i.step.d = i.destination(0, Type::u32);
    i.step.a = i.source(1, type);
    i.emit(by_type<uint32_t, int32_t, uint64_t, int64_t>(type, [&]<typename T>() {
        return from_top ? elementwise<&highest_bit<T, true>>() : elementwise<&highest_bit<T, false>>();
    }));
}

void decode_brev(Instruction& i) {
    const Type type = i.type();
    take_operands(i, type, 1);
    i.emit(by_type<uint32_t, uint64_t>(type, []<typename T>() { return elementwise<&reversed<T>>(); }));
}

void decode_bfe(Instruction& i) {
    const Type type = i.type();
    if (i.size() != 4)
        i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, Type::u32);
    i.step.c = i.source(3, Type::u32);
    i.emit(by_type<uint32_t, int32_t, uint64_t, int64_t>(
        type, []<typename T>() { return elementwise<&extract_field<T>>(); }));
}

void decode_bfi(Instruction& i) {
    const Type type = i.type();
    if (i.size() != 5)
        i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, type);
    i.step.c = i.source(3, Type::u32);
    i.step.e = i.source(4, Type::u32);
    i.emit(by_type<uint32_t, uint64_t>(type, []<typename T>() { return handler<InsertField<T>>(); }));
}

void decode_bmsk(Instruction& i) {
    const bool clamps = i.modifiers.take_one({"clamp", "wrap"}) == "clamp";
    take_operands(i, i.type(), 2);
    i.emit(clamps ? elementwise<&mask_clamped>() : elementwise<&mask_wrapped>());
}

void decode_szext(Instruction& i) {
    const bool wraps = i.modifiers.take_one({"clamp", "wrap"}) == "wrap";
    const Type type = i.type();
    if (i.size() != 3)
        i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, Type::u32);
    i.emit(by_type<uint32_t, int32_t>(type, [&]<typename T>() {
        return wraps ? elementwise<&extend_from<T, true>>() : elementwise<&extend_from<T, false>>();
    }));
}

namespace {

/// and, or, xor of predicates: `number` says which.
struct OfPredicates {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Lanes a = warp.predicate(step.a);
        const Lanes b = warp.predicate(step.b);
        warp.set_predicate(step.d,
                           step.number == 0   ? a & b
                           : step.number == 1 ? a | b
                           : step.number == 2 ? a ^ b
                                              : ~a,
                           lanes);
    }
};

} // namespace

void decode_logic(Instruction& i) {
    const Type type = i.type();
    const bool one = i.opcode() == "not";
    const int which = i.opcode() == "and" ? 0 : i.opcode() == "or" ? 1 : i.opcode() == "xor" ? 2 : 3;
    if (type == Type::pred) {
        if (i.size() != (one ? 2U : 3U))
            i.unsupported();
        i.step.d = i.predicate(i.operand(0));
        i.step.a = i.predicate(i.operand(1));
        i.step.b = one ? i.step.a : i.predicate(i.operand(2));
        if (i.operand(1).negated || (!one && i.operand(2).negated))
            i.unsupported();
        i.step.number = static_cast<std::uint8_t>(which);
        i.emit(&OfPredicates::run);
        return;
    }
    take_operands(i, type, one ? 1 : 2);
    i.emit(by_type<uint16_t, uint32_t, uint64_t>(type, [&]<typename T>() {
        return which == 0   ? elementwise<&bits_and<T>>()
               : which == 1 ? elementwise<&bits_or<T>>()
               : which == 2 ? elementwise<&bits_xor<T>>()
                            : elementwise<&bits_not<T>>();
    }));
}

void decode_cnot(Instruction& i) {
    const Type type = i.type();
    take_operands(i, type, 1);
    i.emit(by_type<uint16_t, uint32_t, uint64_t>(type, []<typename T>() { return elementwise<&is_zero<T>>(); }));
}

void decode_lop3(Instruction& i) {
    const Type type = i.type();
    if (i.size() != 5 || type != Type::b32 || !i.is(4, ptx::Operand::Kind::integer))
        i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, type);
    i.step.c = i.source(3, type);
    i.step.immediate = static_cast<int64_t>(i.operand(4).bits);
    i.emit(handler<Lookup3>());
}

void decode_shift(Instruction& i) {
    const bool left = i.opcode() == "shl";
    const Type type = i.type();
    if (i.size() != 3)
        i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, Type::u32);
    if (left)
        i.emit(by_type<uint16_t, uint32_t, uint64_t>(as_unsigned(type),
                                                     []<typename T>() { return elementwise<&shift_left<T>>(); }));
    else
        i.emit(by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
            type, []<typename T>() { return elementwise<&shift_right<T>>(); }));
}

void decode_shf(Instruction& i) {
    const bool left = i.modifiers.take_one({"l", "r"}) == "l";
    const bool clamps = i.modifiers.take_one({"clamp", "wrap"}) == "clamp";
    const Type type = i.type();
    if (type != Type::b32)
        i.unsupported();
    take_operands(i, type, 3);
    if (left)
        i.emit(clamps ? elementwise<&funnel_left<true>>() : elementwise<&funnel_left<false>>());
    else
        i.emit(clamps ? elementwise<&funnel_right<true>>() : elementwise<&funnel_right<false>>());
}

void decode_prmt(Instruction& i) {
    const Type type = i.type();
    if (type != Type::b32)
        i.unsupported();
    take_operands(i, type, 3);
    const std::string_view mode = i.modifiers.take_one({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
    i.emit(mode.empty()    ? elementwise<&permute>()
           : mode == "f4e" ? elementwise<&permute_forward>()
           : mode == "b4e" ? elementwise<&permute_backward>()
           : mode == "rc8" ? elementwise<&permute_replicate_8>()
           : mode == "ecl" ? elementwise<&permute_edge_left>()
           : mode == "ecr" ? elementwise<&permute_edge_right>()
                           : elementwise<&permute_replicate_16>());
}

} // namespace cudabench::cpu
