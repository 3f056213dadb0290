#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"
#include "executor/cpu/float_rules.h"
#include "executor/cpu/rounding_mode.h"

#include <cmath>
#include <limits>

/// f32 and f64, PTX section "Floating Point". Approximate functions are computed to the nearest or nearly so, which is
/// within the errors that PTX allows them.
namespace cudabench::cpu {
namespace {

using ptx::Type;

enum class Sum : std::uint8_t { add, subtract, multiply, divide, divide_approximately };

template <Sum what, typename T, bool ftz, bool sat> T arithmetic(T a, T b) {
    const T x = flush<ftz>(a);
    const T y = flush<ftz>(b);
    T result{};
    if constexpr (what == Sum::add)
        result = x + y;
    else if constexpr (what == Sum::subtract)
        result = x - y;
    else if constexpr (what == Sum::multiply)
        result = x * y;
    else
        result = x / y;
    if constexpr (what == Sum::divide_approximately) {
        // The reciprocal of a very large divisor is flushed.
        const T size = y < 0 ? -y : y;
        if (size > T{0x1p126} && size < std::numeric_limits<T>::infinity())
            result = x * std::copysign(T{0}, y);
    }
    return finished<ftz, sat>(result);
}

template <typename T, bool ftz, bool sat> T fused(T a, T b, T c) {
    const T x = flush<ftz>(a);
    const T y = flush<ftz>(b);
    const T z = flush<ftz>(c);
    if constexpr (std::is_same_v<T, float>)
        return finished<ftz, sat>(__builtin_fmaf(x, y, z));
    else
        return finished<ftz, sat>(__builtin_fma(x, y, z));
}

template <typename T, bool ftz> T absolute(T a) {
    return canonical(
        flush<ftz>(std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) & ~(BitsOf<T>{1} << (8 * sizeof(T) - 1)))));
}
template <typename T, bool ftz> T negative(T a) {
    return canonical(flush<ftz>(std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) ^ (BitsOf<T>{1} << (8 * sizeof(T) - 1)))));
}

enum class Pick : std::uint8_t { smaller, larger };

template <Pick pick, typename T, bool ftz, bool propagates_nan> T extreme(T a, T b) {
    const T x = flush<ftz>(a);
    const T y = flush<ftz>(b);
    if (propagates_nan && (x != x || y != y))
        return canonical(std::numeric_limits<T>::quiet_NaN());
    return canonical(pick == Pick::smaller ? smaller_number(x, y) : larger_number(x, y));
}

/// The extreme of magnitudes, with the product of the signs.
template <Pick pick, bool ftz, bool propagates_nan> float extreme_magnitude(float a, float b) {
    const std::uint32_t sign = (std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b)) & 0x8000'0000U;
    const float result =
        extreme<pick, float, ftz, propagates_nan>(absolute<float, false>(a), absolute<float, false>(b));
    return result != result ? result : std::bit_cast<float>(std::bit_cast<std::uint32_t>(result) | sign);
}

template <typename T, bool ftz> T reciprocal(T a) {
    return finished<ftz, false>(T{1} / flush<ftz>(a));
}
template <typename T, bool ftz> T square_root(T a) {
    return finished<ftz, false>(std::sqrt(flush<ftz>(a)));
}
template <typename T, bool ftz> T reciprocal_square_root(T a) {
    return finished<ftz, false>(static_cast<T>(1.0 / std::sqrt(static_cast<double>(flush<ftz>(a)))));
}
/// Only the upper half of the bits is computed; subnormal numbers are flushed.
double upper_half(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (value != value)
        return std::bit_cast<double>(std::uint64_t{0x7FFFFFFF} << 32);
    if ((bits >> 52 & 0x7FF) == 0)
        return std::bit_cast<double>(bits & (std::uint64_t{1} << 63));
    return std::bit_cast<double>(bits & ~std::uint64_t{0xFFFFFFFF});
}
double flush_double(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return (bits >> 52 & 0x7FF) == 0 ? std::bit_cast<double>(bits & (std::uint64_t{1} << 63)) : value;
}
double coarse_reciprocal(double a) {
    return upper_half(1.0 / flush_double(a));
}
/// All bits, subnormal numbers too: by a longer format of the host where it has one, within a unit in the last place.
double fine_reciprocal_square_root(double a) {
    return static_cast<double>(1.0L / std::sqrt(static_cast<long double>(a)));
}
double coarse_reciprocal_square_root(double a) {
    return upper_half(1.0 / std::sqrt(flush_double(a)));
}

template <bool ftz> float sine(float a) {
    return finished<ftz, false>(std::sin(flush<ftz>(a)));
}
template <bool ftz> float cosine(float a) {
    return finished<ftz, false>(std::cos(flush<ftz>(a)));
}
template <bool ftz> float logarithm(float a) {
    return finished<ftz, false>(std::log2(flush<ftz>(a)));
}
template <bool ftz> float power_of_two(float a) {
    return finished<ftz, false>(std::exp2(flush<ftz>(a)));
}
float hyperbolic_tangent(float a) {
    return finished<false, false>(std::tanh(a));
}

/// PTX takes the sign from the first operand.
template <typename T> T with_sign(T a, T b) {
    constexpr BitsOf<T> sign = BitsOf<T>{1} << (8 * sizeof(T) - 1);
    return std::bit_cast<T>((std::bit_cast<BitsOf<T>>(a) & sign) | (std::bit_cast<BitsOf<T>>(b) & ~sign));
}

enum class Property : std::uint8_t { finite, infinite, number, not_a_number, normal, subnormal };
template <Property property, typename T> bool has_property(T a) {
    const T size = absolute<T, false>(a);
    switch (property) {
    case Property::finite: return size < std::numeric_limits<T>::infinity();
    case Property::infinite: return size == std::numeric_limits<T>::infinity();
    case Property::number: return a == a;
    case Property::not_a_number: return a != a;
    case Property::normal: // zero too, says a GPU
        return size == T{0} || (size >= std::numeric_limits<T>::min() && size < std::numeric_limits<T>::infinity());
    case Property::subnormal: return size < std::numeric_limits<T>::min() && size > T{0};
    }
    return false;
}

template <auto Test> struct Tested {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        warp.set_predicate(step.d, detail::test<Test>(warp, step, Test, std::index_sequence<0>()), lanes);
    }
};

/// Picks among the four kinds of f32, or the one of f64.
template <typename Make> Handler flushed(Type type, bool ftz, bool sat, Make make) {
    if (type == Type::f64)
        return ftz || sat ? nullptr : make.template operator()<double, false, false>();
    if (type != Type::f32)
        return nullptr;
    if (ftz)
        return sat ? make.template operator()<float, true, true>() : make.template operator()<float, true, false>();
    return sat ? make.template operator()<float, false, true>() : make.template operator()<float, false, false>();
}

} // namespace

void decode_float_arithmetic(Instruction& i) {
    const std::string_view rounding = i.modifiers.take_one({"rn", "rz", "rm", "rp", "approx", "full"});
    const bool ftz = i.modifiers.take("ftz");
    const bool sat = i.modifiers.take("sat");
    const Type type = i.type();
    take_operands(i, type, 2);
    const bool approximate = rounding == "approx" || rounding == "full";
    if (approximate && (i.opcode() != "div" || type != Type::f32))
        i.unsupported();
    const Sum what = i.opcode() == "add"    ? Sum::add
                     : i.opcode() == "sub"  ? Sum::subtract
                     : i.opcode() == "mul"  ? Sum::multiply
                     : rounding == "approx" ? Sum::divide_approximately
                                            : Sum::divide;
    const auto choose = [&]<Sum chosen>() {
        return flushed(type, ftz, sat, [&]<typename T, bool f, bool s>() -> Handler {
            if (approximate || rounding.empty() || rounding == "rn")
                return elementwise<&arithmetic<chosen, T, f, s>>();
            return in_rounding_mode<detail::Map<&arithmetic<chosen, T, f, s>>>(rounding);
        });
    };
    switch (what) {
    case Sum::add: return i.emit(choose.operator()<Sum::add>());
    case Sum::subtract: return i.emit(choose.operator()<Sum::subtract>());
    case Sum::multiply: return i.emit(choose.operator()<Sum::multiply>());
    case Sum::divide: return i.emit(choose.operator()<Sum::divide>());
    case Sum::divide_approximately: return i.emit(choose.operator()<Sum::divide_approximately>());
    }
}

void decode_float_fma(Instruction& i) {
    const std::string_view rounding = i.modifiers.take_one({"rn", "rz", "rm", "rp"});
    const bool ftz = i.modifiers.take("ftz");
    const bool sat = i.modifiers.take("sat");
    const Type type = i.type();
    take_operands(i, type, 3);
    i.emit(flushed(type, ftz, sat, [&]<typename T, bool f, bool s>() -> Handler {
        if (rounding.empty() || rounding == "rn")
            return elementwise<&fused<T, f, s>>();
        return in_rounding_mode<detail::Map<&fused<T, f, s>>>(rounding);
    }));
}

void decode_float_abs_neg(Instruction& i) {
    const bool ftz = i.modifiers.take("ftz");
    const Type type = i.type();
    take_operands(i, type, 1);
    const bool takes_size = i.opcode() == "abs";
    i.emit(flushed(type, ftz, false, [&]<typename T, bool f, bool s>() {
        return takes_size ? elementwise<&absolute<T, f>>() : elementwise<&negative<T, f>>();
    }));
}

void decode_float_min_max(Instruction& i) {
    const bool ftz = i.modifiers.take("ftz");
    const bool nan = i.modifiers.take("NaN");
    const bool magnitudes = i.modifiers.take("xorsign") && i.modifiers.take("abs");
    const Type type = i.type();
    take_operands(i, type, 2);
    const bool minimum = i.opcode() == "min";
    if (magnitudes && type != Type::f32)
        i.unsupported();
    i.emit(flushed(type, ftz, false, [&]<typename T, bool f, bool s>() -> Handler {
        if constexpr (std::is_same_v<T, float>) {
            if (magnitudes && minimum)
                return nan ? elementwise<&extreme_magnitude<Pick::smaller, f, true>>()
                           : elementwise<&extreme_magnitude<Pick::smaller, f, false>>();
            if (magnitudes)
                return nan ? elementwise<&extreme_magnitude<Pick::larger, f, true>>()
                           : elementwise<&extreme_magnitude<Pick::larger, f, false>>();
        }
        if (minimum)
            return nan ? elementwise<&extreme<Pick::smaller, T, f, true>>()
                       : elementwise<&extreme<Pick::smaller, T, f, false>>();
        return nan ? elementwise<&extreme<Pick::larger, T, f, true>>()
                   : elementwise<&extreme<Pick::larger, T, f, false>>();
    }));
}

void decode_rcp_sqrt(Instruction& i) {
    const std::string_view rounding = i.modifiers.take_one({"rn", "rz", "rm", "rp", "approx"});
    const bool ftz = i.modifiers.take("ftz");
    const Type type = i.type();
    take_operands(i, type, 1);
    const bool approximate = rounding == "approx";
    if (approximate && type == Type::f64) {
        if (!ftz && i.opcode() == "rsqrt")
            return i.emit(elementwise<&fine_reciprocal_square_root>());
        if (!ftz || i.opcode() == "sqrt")
            i.unsupported();
        i.emit(i.opcode() == "rcp" ? elementwise<&coarse_reciprocal>() : elementwise<&coarse_reciprocal_square_root>());
        return;
    }
    if (i.opcode() == "rsqrt" && !approximate)
        i.unsupported();
    i.emit(flushed(type, ftz, false, [&]<typename T, bool f, bool s>() -> Handler {
        if (i.opcode() == "rsqrt")
            return elementwise<&reciprocal_square_root<T, f>>();
        if (approximate || rounding == "rn")
            return i.opcode() == "rcp" ? elementwise<&reciprocal<T, f>>() : elementwise<&square_root<T, f>>();
        return i.opcode() == "rcp" ? in_rounding_mode<detail::Map<&reciprocal<T, f>>>(rounding)
                                   : in_rounding_mode<detail::Map<&square_root<T, f>>>(rounding);
    }));
}

void decode_approximate(Instruction& i) {
    if (!i.modifiers.take("approx"))
        i.unsupported();
    const bool ftz = i.modifiers.take("ftz");
    const Type type = i.type();
    if (type != Type::f32)
        i.unsupported();
    take_operands(i, type, 1);
    if (i.opcode() == "sin")
        i.emit(ftz ? elementwise<&sine<true>>() : elementwise<&sine<false>>());
    else if (i.opcode() == "cos")
        i.emit(ftz ? elementwise<&cosine<true>>() : elementwise<&cosine<false>>());
    else if (i.opcode() == "lg2")
        i.emit(ftz ? elementwise<&logarithm<true>>() : elementwise<&logarithm<false>>());
    else if (i.opcode() == "ex2")
        i.emit(ftz ? elementwise<&power_of_two<true>>() : elementwise<&power_of_two<false>>());
    else if (!ftz)
        i.emit(elementwise<&hyperbolic_tangent>());
    else
        i.unsupported();
}

void decode_copysign(Instruction& i) {
    const Type type = i.type();
    take_operands(i, type, 2);
    i.emit(by_type<float, double>(type, []<typename T>() { return elementwise<&with_sign<T>>(); }));
}

void decode_testp(Instruction& i) {
    const std::string_view property =
        i.modifiers.take_one({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
    const Type type = i.type();
    if (i.size() != 2)
        i.unsupported();
    i.step.d = i.predicate(i.operand(0));
    i.step.a = i.source(1, type);
    i.emit(by_type<float, double>(type, [&]<typename T>() -> Handler {
        if (property == "finite")
            return handler<Tested<&has_property<Property::finite, T>>>();
        if (property == "infinite")
            return handler<Tested<&has_property<Property::infinite, T>>>();
        if (property == "number")
            return handler<Tested<&has_property<Property::number, T>>>();
        if (property == "notanumber")
            return handler<Tested<&has_property<Property::not_a_number, T>>>();
        if (property == "normal")
            return handler<Tested<&has_property<Property::normal, T>>>();
        if (property == "subnormal")
            return handler<Tested<&has_property<Property::subnormal, T>>>();
        return nullptr;
    }));
}

} // namespace cudabench::cpu
