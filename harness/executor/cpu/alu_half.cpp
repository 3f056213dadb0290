#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"
#include "executor/cpu/float_rules.h"
#include "executor/cpu/half.h"

#include <cmath>

/// f16, bf16 and pairs of them, PTX section "Half Precision Floating Point".
namespace cudabench::cpu {
namespace {

using ptx::Type;
using std::uint16_t;
using std::uint32_t;

enum class Operation : std::uint8_t {
    add,
    subtract,
    multiply,
    fma,
    negate,
    absolute,
    smaller,
    larger,
    power_of_two,
    hyperbolic_tangent
};

/// What happens to operands and results.
enum class Finish : std::uint8_t { plain, saturate, relu, propagate_nan };

template <typename Format> double finished(double value, Finish finish) {
    if (finish == Finish::saturate)
        return value > 0 ? (value < 1 ? value : 1) : 0;
    if (finish == Finish::relu)
        return value <= 0 ? 0.0 : value;
    return value;
}

template <typename Format, bool ftz> uint16_t flush_half(uint16_t bits) {
    constexpr uint16_t exponent = Format::infinity;
    return ftz && (bits & exponent) == 0 ? static_cast<uint16_t>(bits & 0x8000) : bits;
}

template <typename Format, Operation operation, Finish finish, bool ftz>
uint16_t apply(uint16_t a_bits, uint16_t b_bits, uint16_t c_bits) {
    constexpr bool of_sign = operation == Operation::negate || operation == Operation::absolute;
    if (of_sign && (a_bits & 0x7FFF) > Format::infinity)
        return Format::not_a_number;
    if constexpr (operation == Operation::negate)
        return flush_half<Format, ftz>(static_cast<uint16_t>(a_bits ^ 0x8000));
    if constexpr (operation == Operation::absolute)
        return flush_half<Format, ftz>(static_cast<uint16_t>(a_bits & 0x7FFF));
    const double a = widen<Format>(flush_half<Format, ftz>(a_bits));
    const double b = widen<Format>(flush_half<Format, ftz>(b_bits));
    const double c = widen<Format>(flush_half<Format, ftz>(c_bits));
    double result = 0;
    switch (operation) {
    case Operation::add: result = sum_to_odd(a, b); break;
    case Operation::subtract: result = sum_to_odd(a, -b); break;
    case Operation::multiply: result = a * b; break;
    case Operation::fma: result = sum_to_odd(a * b, c); break;
    case Operation::smaller:
        result = finish == Finish::propagate_nan && (a != a || b != b) ? NAN : smaller_number(a, b);
        break;
    case Operation::larger:
        result = finish == Finish::propagate_nan && (a != a || b != b) ? NAN : larger_number(a, b);
        break;
    case Operation::power_of_two: result = std::exp2(a); break;
    case Operation::hyperbolic_tangent: result = std::tanh(a); break;
    default: break;
    }
    return flush_half<Format, ftz>(narrow<Format>(finished<Format>(result, finish)));
}

/// One number, or two in a word.
template <typename Format, Operation operation, Finish finish, bool ftz, typename Word> struct OfHalves {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Word* const a = warp.at<Word>(step.a);
        const Word* const b = warp.at<Word>(step.b);
        const Word* const c = warp.at<Word>(step.c);
        Word* const d = warp.at<Word>(step.d);
        each(lanes, [&](unsigned lane) {
            Word result = 0;
            for (unsigned i = 0; i < sizeof(Word) / 2; ++i) {
                const auto part = [&](Word word) { return static_cast<uint16_t>(word >> (16 * i)); };
                const Word value = apply<Format, operation, finish, ftz>(part(a[lane]), part(b[lane]), part(c[lane]));
                result = static_cast<Word>(result | static_cast<Word>(value << (16 * i)));
            }
            d[lane] = result;
        });
    }
};

template <Operation operation, Finish finish, bool ftz> Handler of_type(Type type) {
    switch (type) {
    case Type::f16: return &OfHalves<Half, operation, finish, ftz, uint16_t>::run;
    case Type::f16x2: return &OfHalves<Half, operation, finish, ftz, uint32_t>::run;
    case Type::bf16: return &OfHalves<Brain, operation, finish, ftz, uint16_t>::run;
    case Type::bf16x2: return &OfHalves<Brain, operation, finish, ftz, uint32_t>::run;
    default: return nullptr;
    }
}

template <Operation operation, Finish finish> Handler flushed(Type type, bool ftz) {
    return ftz ? of_type<operation, finish, true>(type) : of_type<operation, finish, false>(type);
}

template <Operation operation> Handler summing(Type type, bool ftz, Finish finish) {
    switch (finish) {
    case Finish::plain: return flushed<operation, Finish::plain>(type, ftz);
    case Finish::saturate: return flushed<operation, Finish::saturate>(type, ftz);
    case Finish::relu: return flushed<operation, Finish::relu>(type, ftz);
    case Finish::propagate_nan: return nullptr;
    }
    return nullptr;
}

template <Operation operation> Handler extreme(Type type, bool ftz, Finish finish) {
    return finish == Finish::propagate_nan ? flushed<operation, Finish::propagate_nan>(type, ftz)
                                           : flushed<operation, Finish::plain>(type, ftz);
}

} // namespace

void decode_half_arithmetic(Instruction& i) {
    i.modifiers.take("rn");
    const bool ftz = i.modifiers.take("ftz");
    Finish finish = i.modifiers.take("sat")    ? Finish::saturate
                    : i.modifiers.take("relu") ? Finish::relu
                    : i.modifiers.take("NaN")  ? Finish::propagate_nan
                                               : Finish::plain;
    const std::string_view opcode = i.opcode();
    const bool approximate = opcode == "ex2" || opcode == "tanh";
    if (approximate && !i.modifiers.take("approx"))
        i.unsupported();
    const Type type = i.type();
    const std::size_t sources = opcode == "fma" ? 3 : approximate || opcode == "neg" || opcode == "abs" ? 1 : 2;
    take_operands(i, type, sources);
    if (sources < 2)
        i.step.b = i.step.a;
    if (sources < 3)
        i.step.c = i.step.a;
    if (opcode == "add")
        i.emit(summing<Operation::add>(type, ftz, finish));
    else if (opcode == "sub")
        i.emit(summing<Operation::subtract>(type, ftz, finish));
    else if (opcode == "mul")
        i.emit(summing<Operation::multiply>(type, ftz, finish));
    else if (opcode == "fma")
        i.emit(summing<Operation::fma>(type, ftz, finish));
    else if (opcode == "min" || opcode == "max") {
        if (finish == Finish::saturate || finish == Finish::relu)
            i.unsupported();
        i.emit(opcode == "min" ? extreme<Operation::smaller>(type, ftz, finish)
                               : extreme<Operation::larger>(type, ftz, finish));
    } else if (finish != Finish::plain)
        i.unsupported();
    else if (opcode == "neg")
        i.emit(flushed<Operation::negate, Finish::plain>(type, ftz));
    else if (opcode == "abs")
        i.emit(flushed<Operation::absolute, Finish::plain>(type, ftz));
    else if (opcode == "ex2")
        i.emit(flushed<Operation::power_of_two, Finish::plain>(type, ftz));
    else
        i.emit(flushed<Operation::hyperbolic_tangent, Finish::plain>(type, ftz));
}

} // namespace cudabench::cpu
