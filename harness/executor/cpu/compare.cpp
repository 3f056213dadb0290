#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"
#include "executor/cpu/float_rules.h"
#include "executor/cpu/half.h"

#include <array>

/// setp, set, selp, slct: PTX section "Comparison and Selection".
namespace cudabench::cpu {
namespace {

using ptx::Type;

enum class Relation : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

constexpr auto relations = std::to_array<std::pair<std::string_view, Relation>>({
    {"eq", Relation::eq},
    {"ne", Relation::ne},
    {"lt", Relation::lt},
    {"le", Relation::le},
    {"gt", Relation::gt},
    {"ge", Relation::ge},
    {"equ", Relation::equ},
    {"neu", Relation::neu},
    {"ltu", Relation::ltu},
    {"leu", Relation::leu},
    {"gtu", Relation::gtu},
    {"geu", Relation::geu},
    {"num", Relation::num},
    {"nan", Relation::nan},
    {"lo", Relation::lt},
    {"ls", Relation::le},
    {"hi", Relation::gt},
    {"hs", Relation::ge},
});

Relation take_relation(Instruction& i) {
    for (const auto& [name, relation] : relations)
        if (i.modifiers.take(name))
            return relation;
    i.unsupported();
}

/// Ordered relations are false, unordered ones true, of what is no number.
template <Relation relation, typename T, bool ftz> bool holds(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        const T x = flush<ftz>(a);
        const T y = flush<ftz>(b);
        switch (relation) {
        case Relation::eq: return x == y;
        case Relation::ne: return x < y || x > y;
        case Relation::lt: return x < y;
        case Relation::le: return x <= y;
        case Relation::gt: return x > y;
        case Relation::ge: return x >= y;
        case Relation::equ: return !(x < y || x > y);
        case Relation::neu: return x != y;
        case Relation::ltu: return !(x >= y);
        case Relation::leu: return !(x > y);
        case Relation::gtu: return !(x <= y);
        case Relation::geu: return !(x < y);
        case Relation::num: return x == x && y == y;
        case Relation::nan: return x != x || y != y;
        }
    }
    switch (relation) {
    case Relation::eq: return a == b;
    case Relation::ne: return a != b;
    case Relation::lt: return a < b;
    case Relation::le: return a <= b;
    case Relation::gt: return a > b;
    case Relation::ge: return a >= b;
    default: return false;
    }
}

enum class Both : std::uint8_t { none, conjunction, disjunction, difference };

/// p = (a rel b) op c, q = !(a rel b) op c.
template <auto Relate> struct SetPredicate {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Lanes related = detail::test<Relate>(warp, step, Relate, std::make_index_sequence<2>());
        if (step.number == 0 && !step.flag) {
            warp.set_predicate(step.d, related, lanes);
            return;
        }
        const auto with_third = [&](Lanes value) {
            const Lanes third = warp.predicate(step.c) ^ static_cast<Lanes>(step.immediate);
            switch (static_cast<Both>(step.number)) {
            case Both::none: break;
            case Both::conjunction: return value & third;
            case Both::disjunction: return value | third;
            case Both::difference: return value ^ third;
            }
            return value;
        };
        const Lanes p = with_third(related);
        const Lanes q = with_third(~related);
        warp.set_predicate(step.d, p, lanes);
        if (step.flag)
            warp.set_predicate(step.e, q, lanes);
    }
};

/// Calls `make.operator()<Relate>()` with the function for relation and type.
template <typename T, bool ftz, typename Make> Handler for_relation(Relation relation, Make make) {
    switch (relation) {
    case Relation::eq: return make.template operator()<&holds<Relation::eq, T, ftz>>();
    case Relation::ne: return make.template operator()<&holds<Relation::ne, T, ftz>>();
    case Relation::lt: return make.template operator()<&holds<Relation::lt, T, ftz>>();
    case Relation::le: return make.template operator()<&holds<Relation::le, T, ftz>>();
    case Relation::gt: return make.template operator()<&holds<Relation::gt, T, ftz>>();
    case Relation::ge: return make.template operator()<&holds<Relation::ge, T, ftz>>();
    default: break;
    }
    if constexpr (std::is_floating_point_v<T>) {
        switch (relation) {
        case Relation::equ: return make.template operator()<&holds<Relation::equ, T, ftz>>();
        case Relation::neu: return make.template operator()<&holds<Relation::neu, T, ftz>>();
        case Relation::ltu: return make.template operator()<&holds<Relation::ltu, T, ftz>>();
        case Relation::leu: return make.template operator()<&holds<Relation::leu, T, ftz>>();
        case Relation::gtu: return make.template operator()<&holds<Relation::gtu, T, ftz>>();
        case Relation::geu: return make.template operator()<&holds<Relation::geu, T, ftz>>();
        case Relation::num: return make.template operator()<&holds<Relation::num, T, ftz>>();
        case Relation::nan: return make.template operator()<&holds<Relation::nan, T, ftz>>();
        default: break;
        }
    }
    return nullptr;
}

template <typename Make> Handler for_type(Type type, Relation relation, bool ftz, Make make) {
    if (ftz)
        return type == Type::f32 ? for_relation<float, true>(relation, make) : nullptr;
    return by_type<std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t, float,
                   double>(type, [&]<typename T>() { return for_relation<T, false>(relation, make); });
}

/// The relations of 16-bit formats, half by half.
template <typename Format> bool halves_hold(Relation relation, std::uint16_t a, std::uint16_t b, bool ftz) {
    const auto value = [&](std::uint16_t bits) {
        return widen<Format>(ftz && (bits & Format::infinity) == 0 ? static_cast<std::uint16_t>(bits & 0x8000) : bits);
    };
    const double x = value(a);
    const double y = value(b);
    const bool ordered = x == x && y == y;
    switch (relation) {
    case Relation::eq: return x == y;
    case Relation::ne: return ordered && x != y;
    case Relation::lt: return x < y;
    case Relation::le: return x <= y;
    case Relation::gt: return x > y;
    case Relation::ge: return x >= y;
    case Relation::equ: return !ordered || x == y;
    case Relation::neu: return x != y;
    case Relation::ltu: return !(x >= y);
    case Relation::leu: return !(x > y);
    case Relation::gtu: return !(x <= y);
    case Relation::geu: return !(x < y);
    case Relation::num: return ordered;
    case Relation::nan: return !ordered;
    }
    return false;
}

/// setp of f16, bf16: immediate = relation; of pairs, p for the lower and q for the upper half.
template <typename Format, typename Word> struct SetHalfPredicate {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Word* const a = warp.at<Word>(step.a);
        const Word* const b = warp.at<Word>(step.b);
        std::array<Lanes, 2> related{};
        each(lanes, [&](unsigned lane) {
            for (unsigned i = 0; i < sizeof(Word) / 2; ++i)
                if (halves_hold<Format>(static_cast<Relation>(step.immediate),
                                        static_cast<std::uint16_t>(a[lane] >> (16 * i)),
                                        static_cast<std::uint16_t>(b[lane] >> (16 * i)), step.number != 0))
                    related[i] |= Lanes{1} << lane;
        });
        warp.set_predicate(step.d, related[0], lanes);
        if (sizeof(Word) == 4)
            warp.set_predicate(step.e, related[1], lanes);
    }
};

/// set of pairs and single halves: 1.0 or 0.0 in the format, or all ones.
template <typename Format, typename Word> struct SetHalf {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Word* const a = warp.at<Word>(step.a);
        const Word* const b = warp.at<Word>(step.b);
        Word* const d = warp.at<Word>(step.d);
        each(lanes, [&](unsigned lane) {
            Word result = 0;
            for (unsigned i = 0; i < sizeof(Word) / 2; ++i) {
                const bool related = halves_hold<Format>(
                    static_cast<Relation>(step.immediate), static_cast<std::uint16_t>(a[lane] >> (16 * i)),
                    static_cast<std::uint16_t>(b[lane] >> (16 * i)), step.number != 0);
                const Word one = step.flag ? 0xFFFF : narrow<Format>(1.0);
                if (related)
                    result = static_cast<Word>(result | one << (16 * i));
            }
            d[lane] = result;
        });
    }
};

/// d = (a rel b) op c, as all ones or as 1.0.
template <auto Relate> struct SetWord {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        Lanes related = detail::test<Relate>(warp, step, Relate, std::make_index_sequence<2>());
        if (step.number != 0) {
            const Lanes third = warp.predicate(step.c) ^ static_cast<Lanes>(step.immediate);
            const auto both = static_cast<Both>(step.number);
            related = both == Both::conjunction   ? related & third
                      : both == Both::disjunction ? related | third
                                                  : related ^ third;
        }
        const std::uint32_t yes = step.flag ? std::bit_cast<std::uint32_t>(1.0F) : ~std::uint32_t{0};
        std::array<std::uint32_t, warp_size> result{};
        for (unsigned lane = 0; lane < warp_size; ++lane)
            result[lane] = has(related, lane) ? yes : 0;
        detail::put(warp.at<std::uint32_t>(step.d), result.data(), lanes, warp.whole(lanes));
    }
};

void take_third(Instruction& i, std::size_t operands) {
    const std::string_view word = i.modifiers.take_one({"and", "or", "xor"});
    if (word.empty()) {
        if (i.size() != operands)
            i.unsupported();
        return;
    }
    i.step.number = static_cast<std::uint8_t>(word == "and"  ? Both::conjunction
                                              : word == "or" ? Both::disjunction
                                                             : Both::difference);
    const ptx::Operand& third = i.operand(operands);
    i.step.c = i.predicate(third);
    i.step.immediate = third.negated ? -1 : 0;
}

bool is_half(Type type) {
    return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}

template <template <typename, typename> typename Body> Handler for_half(Type type) {
    switch (type) {
    case Type::f16: return handler<Body<Half, std::uint16_t>>();
    case Type::f16x2: return handler<Body<Half, std::uint32_t>>();
    case Type::bf16: return handler<Body<Brain, std::uint16_t>>();
    default: return handler<Body<Brain, std::uint32_t>>();
    }
}

template <typename T> struct Select {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const T* const a = warp.at<T>(step.a);
        const T* const b = warp.at<T>(step.b);
        const Lanes choice = warp.predicate(step.c);
        alignas(64) T result[warp_size];
        for (unsigned lane = 0; lane < warp_size; ++lane)
            result[lane] = has(choice, lane) ? a[lane] : b[lane];
        detail::put(warp.at<T>(step.d), result, lanes, warp.whole(lanes));
    }
};

template <typename T, typename Sign> T choose(T a, T b, Sign c) {
    return c >= 0 ? a : b;
}

/// Any type of that size.
Type bits_of(Type type) {
    switch (ptx::bytes(type)) {
    case 2: return Type::b16;
    case 4: return Type::b32;
    default: return Type::b64;
    }
}

} // namespace

void decode_setp(Instruction& i) {
    const Relation relation = take_relation(i);
    const bool ftz = i.modifiers.take("ftz");
    take_third(i, 3);
    const Type type = i.type();
    const ptx::Operand& destination = i.operand(0);
    const bool pair = destination.kind == ptx::Operand::Kind::pair;
    i.step.d = i.predicate(pair ? destination.parts.at(0) : destination);
    if (pair)
        i.step.e = i.predicate(destination.parts.at(1));
    i.step.flag = pair;
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, type);
    if (is_half(type)) {
        const bool two = type == Type::f16x2 || type == Type::bf16x2;
        if (i.step.number != 0 || pair != two)
            i.unsupported();
        i.step.immediate = static_cast<std::int64_t>(relation);
        i.step.number = ftz ? 1 : 0;
        i.emit(for_half<SetHalfPredicate>(type));
        return;
    }
    i.emit(for_type(
        type, relation, ftz, []<auto Relate>() { return handler<SetPredicate<Relate>>(); }));
}

void decode_set(Instruction& i) {
    const Relation relation = take_relation(i);
    const bool ftz = i.modifiers.take("ftz");
    take_third(i, 3);
    const Type result = i.type();
    const Type type = i.type();
    i.step.d = i.destination(0, result);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, type);
    if (is_half(type)) {
        // Masks of the same width, or 1.0 in the same format.
        if (i.step.number != 0 || ptx::bytes(result) != ptx::bytes(type))
            i.unsupported();
        i.step.flag = !is_half(result);
        i.step.immediate = static_cast<std::int64_t>(relation);
        i.step.number = ftz ? 1 : 0;
        i.emit(for_half<SetHalf>(type));
        return;
    }
    if (result != Type::u32 && result != Type::s32 && result != Type::f32)
        i.unsupported();
    i.step.flag = result == Type::f32;
    i.emit(for_type(
        type, relation, ftz, []<auto Relate>() { return handler<SetWord<Relate>>(); }));
}

void decode_selp(Instruction& i) {
    const Type type = i.type();
    if (i.size() != 4 || i.operand(3).negated)
        i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, type);
    i.step.c = i.predicate(i.operand(3));
    i.emit(by_type<std::uint16_t, std::uint32_t, std::uint64_t>(bits_of(type),
                                                                []<typename T>() { return handler<Select<T>>(); }));
}

void decode_slct(Instruction& i) {
    if (i.modifiers.take("ftz"))
        i.unsupported();
    const Type type = i.type();
    const Type sign = i.type();
    if (i.size() != 4)
        i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, type);
    i.step.c = i.source(3, sign);
    i.emit(by_type<std::uint16_t, std::uint32_t, std::uint64_t>(bits_of(type), [&]<typename T>() -> Handler {
        if (sign == Type::s32)
            return elementwise<&choose<T, std::int32_t>>();
        return sign == Type::f32 ? elementwise<&choose<T, float>>() : nullptr;
    }));
}

} // namespace cudabench::cpu
