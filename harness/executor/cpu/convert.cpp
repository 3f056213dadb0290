#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"
#include "executor/cpu/float_rules.h"
#include "executor/cpu/half.h"
#include "executor/cpu/registers.h"
#include "executor/cpu/rounding_mode.h"

#include <cmath>
#include <cstring>
#include <limits>

/// cvt: PTX section "Data Movement and Conversion". One general conversion, lane by lane, and vectorised ones for the
/// usual pairs of types.
namespace cudabench::cpu {
namespace {

using ptx::Type;
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
__extension__ using Whole = __int128; ///< any integer of a register

/// What a step converts; kept in its `immediate`.
struct Conversion {
    Type to = Type::b32;
    Type from = Type::b32;
    Rounding rounding = Rounding::nearest;
    bool to_integral = false; ///< .rni and the like
    bool ftz = false;
    bool sat = false;
    bool relu = false;
    std::uint8_t held = 0; ///< bytes of a lane, source in the lower and destination in the upper nibble
};
static_assert(sizeof(Conversion) == sizeof(int64_t));

double integral(double value, Rounding rounding) {
    switch (rounding) {
    case Rounding::nearest: return std::nearbyint(value);
    case Rounding::to_zero: return std::trunc(value);
    case Rounding::down: return std::floor(value);
    case Rounding::up: return std::ceil(value);
    case Rounding::away: return std::round(value);
    }
    return value;
}

int host_mode(Rounding rounding) {
    switch (rounding) {
    case Rounding::to_zero: return FE_TOWARDZERO;
    case Rounding::down: return FE_DOWNWARD;
    case Rounding::up: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

/// Not inlined: the operation stays between the changes of the mode.
[[gnu::noinline]] float to_float(double value, Rounding rounding) {
    const RoundingMode mode(host_mode(rounding));
    volatile double input = value;
    volatile float result = static_cast<float>(input);
    return result;
}

template <typename T> [[gnu::noinline]] T whole_to(Whole value, Rounding rounding) {
    const RoundingMode mode(host_mode(rounding));
    volatile T result{};
    if (value < 0 || value <= std::numeric_limits<int64_t>::max()) {
        volatile auto input = static_cast<int64_t>(value);
        result = static_cast<T>(input);
    } else {
        volatile auto input = static_cast<uint64_t>(value);
        result = static_cast<T>(input);
    }
    return result;
}

/// Rounded to odd, for a second rounding to a narrow format.
double whole_to_odd(Whole value) {
    const double toward_zero = whole_to<double>(value, Rounding::to_zero);
    const auto bits = std::bit_cast<uint64_t>(toward_zero);
    return static_cast<Whole>(toward_zero) == value ? toward_zero : std::bit_cast<double>(bits | 1);
}

struct Limits {
    Whole least;
    Whole most;
};

Limits limits(Type type) {
    const unsigned bits = 8 * ptx::bytes(type);
    if (ptx::is_signed(type))
        return {-(Whole{1} << (bits - 1)), (Whole{1} << (bits - 1)) - 1};
    return {0, (Whole{1} << bits) - 1};
}

/// To the nearest integer of the type that there is; what is no number gives 0, or the sign bit alone if 64 bits are
/// involved.
Whole double_to_whole(double value, const Conversion& how) {
    if (value != value) {
        const bool sign_bit = how.from == Type::f64 || ptx::bytes(how.to) == 8;
        return sign_bit ? Whole{1} << (8 * ptx::bytes(how.to) - 1) : 0;
    }
    const double rounded = integral(value, how.rounding);
    const auto [least, most] = limits(how.to);
    if (rounded <= static_cast<double>(least))
        return least;
    if (rounded >= static_cast<double>(most))
        return most;
    return static_cast<Whole>(rounded);
}

uint64_t load_bits(const std::byte* lane, unsigned bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, lane, bytes);
    return bits;
}

Whole whole_of(uint64_t bits, Type type) {
    const unsigned unused = 64 - 8 * ptx::bytes(type);
    if (ptx::is_signed(type))
        return static_cast<int64_t>(bits << unused) >> unused;
    return (bits << unused) >> unused;
}

double double_of(uint64_t bits, const Conversion& how) {
    switch (how.from) {
    case Type::f16: return widen<Half>(static_cast<uint16_t>(bits));
    case Type::bf16: return widen<Brain>(static_cast<uint16_t>(bits));
    case Type::f32: {
        const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
        return how.ftz ? flush<true>(value) : value;
    }
    default: return std::bit_cast<double>(bits);
    }
}

template <typename Format> uint64_t narrowed(double value, Rounding rounding) {
    switch (rounding) {
    case Rounding::nearest: return narrow<Format, Rounding::nearest>(value);
    case Rounding::to_zero: return narrow<Format, Rounding::to_zero>(value);
    case Rounding::down: return narrow<Format, Rounding::down>(value);
    case Rounding::up: return narrow<Format, Rounding::up>(value);
    case Rounding::away: return narrow<Format, Rounding::away>(value);
    }
    return 0;
}

/// f32 with ten bits of fraction.
uint32_t to_tf32(uint32_t bits, Rounding rounding) {
    const uint32_t lost = bits & 0x1FFFU;
    const uint32_t kept = bits & ~0x1FFFU;
    const bool up = rounding == Rounding::away      ? lost >= 0x1000U
                    : rounding == Rounding::to_zero ? false
                                                    : lost > 0x1000U || (lost == 0x1000U && (kept & 0x2000U) != 0);
    return (bits & 0x7F80'0000U) == 0x7F80'0000U ? kept : kept + (up ? 0x2000U : 0);
}

uint64_t floating_result(double value, const Conversion& how) {
    double result = how.to_integral ? integral(value, how.rounding) : value;
    if (how.sat)
        result = clamp_unit<true>(result);
    if (how.relu && result <= 0)
        result = 0;
    switch (how.to) {
    case Type::f16: return narrowed<Half>(result, how.rounding);
    case Type::bf16: return narrowed<Brain>(result, how.rounding);
    case Type::f32: {
        const float rounded = canonical(to_float(result, how.rounding));
        return std::bit_cast<uint32_t>(how.ftz ? flush<true>(rounded) : rounded);
    }
    default: return std::bit_cast<uint64_t>(result);
    }
}

uint64_t floating_of_whole(Whole value, const Conversion& how) {
    switch (how.to) {
    case Type::f16: return narrowed<Half>(whole_to_odd(value), how.rounding);
    case Type::bf16: return narrowed<Brain>(whole_to_odd(value), how.rounding);
    case Type::f32: {
        const auto result = whole_to<float>(value, how.rounding);
        return std::bit_cast<uint32_t>(how.sat ? clamp_unit<true>(result) : result);
    }
    default: {
        const auto result = whole_to<double>(value, how.rounding);
        return std::bit_cast<uint64_t>(how.sat ? clamp_unit<true>(result) : result);
    }
    }
}

uint64_t whole_result(Whole value, const Conversion& how) {
    const auto [least, most] = limits(how.to);
    if (how.sat)
        value = value < least ? least : value > most ? most : value;
    // Extended to the register by the sign of the type.
    return static_cast<uint64_t>(whole_of(static_cast<uint64_t>(value), how.to));
}

/// Of f64: sign and the upper bits of the payload stay, and it becomes a quiet one.
uint64_t converted_nan(uint64_t bits, Type to) {
    const auto single = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    if (to == Type::f32)
        return single;
    return (single >> 16 & 0x8000U) | Half::infinity | (single >> 13 & 0x3FFU);
}

uint64_t convert(uint64_t bits, const Conversion& how) {
    if (how.to == Type::tf32)
        return to_tf32(static_cast<uint32_t>(bits), how.rounding);
    if (how.from == Type::f64 && (how.to == Type::f32 || how.to == Type::f16) && !how.sat &&
        (bits & ~(uint64_t{1} << 63)) > uint64_t{0x7FF} << 52)
        return converted_nan(bits, how.to);
    if (ptx::is_floating(how.from)) {
        const double value = double_of(bits, how);
        return ptx::is_floating(how.to) ? floating_result(value, how) : whole_result(double_to_whole(value, how), how);
    }
    const Whole value = whole_of(bits, how.from);
    return ptx::is_floating(how.to) ? floating_of_whole(value, how) : whole_result(value, how);
}

void convert_any(Warp& warp, const Step& step, Lanes lanes) {
    const auto how = std::bit_cast<Conversion>(step.immediate);
    const unsigned from = how.held & 15U;
    const unsigned to = how.held >> 4;
    const auto* const source = warp.at<std::byte>(step.a);
    auto* const destination = warp.at<std::byte>(step.d);
    each(lanes, [&](unsigned lane) {
        const uint64_t result = convert(load_bits(source + std::size_t{lane} * from, from), how);
        std::memcpy(destination + std::size_t{lane} * to, &result, to);
    });
}

/// Two f32 to a pair of 16-bit numbers: the first operand to the upper half.
void convert_pair(Warp& warp, const Step& step, Lanes lanes) {
    auto how = std::bit_cast<Conversion>(step.immediate);
    const auto* const upper = warp.at<uint32_t>(step.a);
    const auto* const lower = warp.at<uint32_t>(step.b);
    auto* const destination = warp.at<uint32_t>(step.d);
    each(lanes, [&](unsigned lane) {
        destination[lane] = static_cast<uint32_t>(convert(upper[lane], how) << 16 | convert(lower[lane], how));
    });
}

// The usual pairs.

template <typename D, typename S> D resized(S value) {
    return static_cast<D>(value);
}
template <typename D, typename S> D as_floating(S value) {
    return static_cast<D>(value);
}
template <bool ftz> double promoted(float value) {
    return flush<ftz>(value);
}
float demoted(double value) {
    return static_cast<float>(value);
}
float from_half(uint16_t value) {
    return canonical(static_cast<float>(widen<Half>(value)));
}
float from_brain(uint16_t value) {
    return std::bit_cast<float>(static_cast<uint32_t>(value) << 16);
}
uint16_t to_half(float value) {
    return narrow<Half>(double{value});
}
uint16_t to_brain(float value) {
    return narrow<Brain>(double{value});
}
template <Rounding rounding> double rounded_in_place(double value) {
    return rounding == Rounding::nearest   ? __builtin_rint(value)
           : rounding == Rounding::to_zero ? __builtin_trunc(value)
           : rounding == Rounding::down    ? __builtin_floor(value)
                                           : __builtin_ceil(value);
}
template <typename S, Rounding rounding, bool ftz> int32_t to_int(S value) {
    const double rounded = rounded_in_place<rounding>(double{flush<ftz>(value)});
    const double clamped = rounded < -0x1p31 ? -0x1p31 : rounded > 0x1p31 - 1 ? 0x1p31 - 1 : rounded;
    return value != value ? (std::is_same_v<S, double> ? std::numeric_limits<int32_t>::min() : 0)
                          : static_cast<int32_t>(clamped);
}
template <Rounding rounding, bool ftz> float to_integral(float value) {
    return canonical(flush<ftz>(static_cast<float>(rounded_in_place<rounding>(double{flush<ftz>(value)}))));
}
template <bool ftz> float to_unit(float value) {
    return finished<ftz, true>(flush<ftz>(value));
}

template <typename S> Handler resized_to(Type to) {
    return by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
        to, []<typename D>() { return elementwise<&resized<D, S>>(); });
}

template <typename Make> Handler in_rounding(Rounding rounding, Make make) {
    switch (rounding) {
    case Rounding::nearest: return make.template operator()<Rounding::nearest>();
    case Rounding::to_zero: return make.template operator()<Rounding::to_zero>();
    case Rounding::down: return make.template operator()<Rounding::down>();
    case Rounding::up: return make.template operator()<Rounding::up>();
    case Rounding::away: return nullptr;
    }
    return nullptr;
}

/// Null if the pair is not among the usual ones. Registers are as wide as the types.
Handler usual(const Conversion& how) {
    const bool from_float = ptx::is_floating(how.from);
    const bool to_float_type = ptx::is_floating(how.to);
    if (how.relu || how.rounding == Rounding::away)
        return nullptr;
    if (!from_float && !to_float_type && !how.sat)
        return by_type<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
            how.from, [&]<typename S>() { return resized_to<S>(how.to); });
    if (how.sat) {
        const bool plain = how.from == Type::f32 && how.to == Type::f32 && !how.to_integral;
        return !plain ? nullptr : how.ftz ? elementwise<&to_unit<true>>() : elementwise<&to_unit<false>>();
    }
    const bool nearest = how.rounding == Rounding::nearest;
    if (!from_float && nearest)
        return by_type<int32_t, uint32_t, int64_t, uint64_t>(how.from, [&]<typename S>() -> Handler {
            return how.to == Type::f32   ? elementwise<&as_floating<float, S>>()
                   : how.to == Type::f64 ? elementwise<&as_floating<double, S>>()
                                         : nullptr;
        });
    if (how.from == Type::f32 && how.to == Type::f64)
        return how.to_integral ? nullptr : how.ftz ? elementwise<&promoted<true>>() : elementwise<&promoted<false>>();
    if (how.from == Type::f64 && how.to == Type::f32 && nearest && !how.to_integral && !how.ftz)
        return elementwise<&demoted>();
    if (how.from == Type::f16 && how.to == Type::f32 && !how.ftz)
        return elementwise<&from_half>();
    if (how.from == Type::bf16 && how.to == Type::f32 && !how.ftz)
        return elementwise<&from_brain>();
    if (how.from == Type::f32 && nearest && !how.ftz && how.to == Type::f16)
        return elementwise<&to_half>();
    if (how.from == Type::f32 && nearest && !how.ftz && how.to == Type::bf16)
        return elementwise<&to_brain>();
    if (how.from == Type::f32 && how.to == Type::s32)
        return in_rounding(how.rounding, [&]<Rounding rounding>() {
            return how.ftz ? elementwise<&to_int<float, rounding, true>>()
                           : elementwise<&to_int<float, rounding, false>>();
        });
    if (how.from == Type::f64 && how.to == Type::s32)
        return in_rounding(how.rounding,
                           []<Rounding rounding>() { return elementwise<&to_int<double, rounding, false>>(); });
    if (how.from == Type::f32 && how.to == Type::f32 && how.to_integral)
        return in_rounding(how.rounding, [&]<Rounding rounding>() {
            return how.ftz ? elementwise<&to_integral<rounding, true>>() : elementwise<&to_integral<rounding, false>>();
        });
    return nullptr;
}

struct RoundingWord {
    std::string_view word;
    Rounding rounding;
    bool integral;
};
constexpr auto rounding_words = std::to_array<RoundingWord>({{"rn", Rounding::nearest, false},
                                                             {"rz", Rounding::to_zero, false},
                                                             {"rm", Rounding::down, false},
                                                             {"rp", Rounding::up, false},
                                                             {"rna", Rounding::away, false},
                                                             {"rni", Rounding::nearest, true},
                                                             {"rzi", Rounding::to_zero, true},
                                                             {"rmi", Rounding::down, true},
                                                             {"rpi", Rounding::up, true}});

bool known(Type type) {
    return type != Type::pred && type != Type::b128 && (type < Type::b8 || type > Type::b64) && type != Type::f16x2 &&
           type != Type::bf16x2;
}

std::uint8_t held(Instruction& i, const ptx::Operand& operand, Type type) {
    const std::uint32_t bytes = operand.kind == ptx::Operand::Kind::reg ? i.held_bytes(operand) : lane_bytes(type);
    if (bytes < ptx::bytes(type) || bytes > 8)
        i.unsupported();
    return static_cast<std::uint8_t>(bytes);
}

Type bits_of_size(std::uint32_t bytes) {
    return bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : Type::b64;
}

void decode_pair(Instruction& i, Conversion how) {
    if (i.size() != 3 || how.from != Type::f32 || how.to_integral || how.ftz ||
        (how.rounding != Rounding::nearest && how.rounding != Rounding::to_zero))
        i.unsupported();
    how.to = how.to == Type::f16x2 ? Type::f16 : Type::bf16;
    i.step.d = i.destination(0, Type::b32);
    i.step.a = i.source(1, Type::f32);
    i.step.b = i.source(2, Type::f32);
    i.step.immediate = std::bit_cast<int64_t>(how);
    i.emit(&convert_pair);
}

} // namespace

void decode_cvt(Instruction& i) {
    Conversion how;
    bool rounds = false;
    for (const auto& [word, rounding, whole] : rounding_words) {
        if (i.modifiers.take(word)) {
            how.rounding = rounding;
            how.to_integral = whole;
            rounds = true;
        }
    }
    how.ftz = i.modifiers.take("ftz");
    how.sat = i.modifiers.take("sat");
    how.relu = i.modifiers.take("relu");
    how.to = i.type();
    how.from = i.type();
    if (how.to == Type::f16x2 || how.to == Type::bf16x2) {
        decode_pair(i, how);
        return;
    }
    if (!known(how.to) || !known(how.from) || how.from == Type::tf32 || i.size() != 2)
        i.unsupported();
    if (how.to == Type::tf32 && (how.from != Type::f32 || how.relu || how.sat))
        i.unsupported();
    if (how.relu && how.to != Type::f16 && how.to != Type::bf16)
        i.unsupported();
    if (ptx::is_floating(how.from) && !ptx::is_floating(how.to) && !(rounds && how.to_integral))
        i.unsupported();
    const std::uint8_t from = held(i, i.operand(1), how.from);
    const std::uint8_t to = held(i, i.operand(0), how.to);
    how.held = static_cast<std::uint8_t>(from | (to << 4));
    i.step.d = i.destination(0, bits_of_size(to));
    i.step.a = i.source(1, i.is(1, ptx::Operand::Kind::reg) ? bits_of_size(from) : how.from);
    i.step.immediate = std::bit_cast<int64_t>(how);
    const bool as_wide_as_types = from == ptx::bytes(how.from) && to == ptx::bytes(how.to);
    const Handler fast = as_wide_as_types ? usual(how) : nullptr;
    i.emit(fast != nullptr ? fast : &convert_any);
}

} // namespace cudabench::cpu
