#include "executor/cpu/access.h"
#include "executor/cpu/alu.h"
#include "executor/cpu/float_rules.h"
#include "executor/cpu/half.h"

#include <bit>
#include <cstring>

/// atom and red: PTX section "Parallel Synchronization and Communication". Every scope and order is the strongest that
/// the host has.
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

enum class Change : std::uint8_t {
    add,
    minimum,
    maximum,
    conjunction,
    disjunction,
    difference,
    exchange,
    increment,
    decrement,
    compare
};

/// The value after the change. `T` computes; memory holds its bits.
template <Change change, typename T> T changed(T old, T b, T c) {
    if constexpr (change == Change::add) {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(b));
        else
            return canonical(old + b);
    } else if constexpr (change == Change::minimum) {
        if constexpr (std::is_floating_point_v<T>)
            return smaller_number(old, b);
        else
            return b < old ? b : old;
    } else if constexpr (change == Change::maximum) {
        if constexpr (std::is_floating_point_v<T>)
            return larger_number(old, b);
        else
            return old < b ? b : old;
    } else if constexpr (change == Change::exchange) {
        return b;
    } else if constexpr (std::is_integral_v<T>) {
        switch (change) {
        case Change::conjunction: return static_cast<T>(old & b);
        case Change::disjunction: return static_cast<T>(old | b);
        case Change::difference: return static_cast<T>(old ^ b);
        case Change::increment: return old >= b ? T{0} : static_cast<T>(old + 1);
        case Change::decrement: return old == 0 || old > b ? b : static_cast<T>(old - 1);
        case Change::compare: return old == b ? c : old;
        default: break;
        }
    }
    return old;
}

/// f16 and bf16, one or two in a word.
template <typename Format, typename Word, Change change> Word changed_halves(Word old, Word b) {
    Word result = 0;
    for (unsigned i = 0; i < sizeof(Word) / 2; ++i) {
        const double x = widen<Format>(static_cast<std::uint16_t>(old >> (16 * i)));
        const double y = widen<Format>(static_cast<std::uint16_t>(b >> (16 * i)));
        const double sum = change == Change::add       ? sum_to_odd(x, y)
                           : change == Change::minimum ? smaller_number(x, y)
                                                       : larger_number(x, y);
        result = static_cast<Word>(result | static_cast<Word>(Word{narrow<Format>(sum)} << (16 * i)));
    }
    return result;
}

template <typename Word, typename Compute> Word exchange(std::byte* place, Compute compute) {
    auto* const word = reinterpret_cast<Word*>(place);
    Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (true) {
        const Word fresh = compute(old);
        if (__atomic_compare_exchange_n(word, &old, fresh, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return old;
    }
}

/// A word in memory, lane after lane. `flag` of the address is the step's own.
template <typename Word, typename Compute> void each_word(Warp& warp, const Step& step, Lanes lanes, Compute compute) {
    const Addresses addresses = addresses_of(warp, step, lanes);
    warp.looked();
    const Word* const b = warp.at<Word>(step.b);
    const Word* const c = warp.at<Word>(step.c);
    Word* const d = warp.at<Word>(step.d);
    with_located(warp, static_cast<Where>(step.space), addresses, lanes, sizeof(Word), Access::read_write,
                 [&](Lanes some, Located located) {
                     each(some, [&](unsigned lane) {
                         const Word first = b[lane];
                         const Word second = c[lane];
                         const bool global = located.space == Where::global;
                         d[lane] = exchange<Word>(located.at(addresses[lane], lane),
                                                  [&](Word old) { return compute(old, first, second, global); });
                     });
                 });
}

template <Change change, typename T> void change_number(Warp& warp, const Step& step, Lanes lanes) {
    using Word = std::conditional_t<sizeof(T) == 2, std::uint16_t, BitsOf<T>>;
    each_word<Word>(warp, step, lanes, [](Word old, Word b, Word c, bool global) {
        // Global memory adds without subnormal numbers, shared memory with them.
        if constexpr (change == Change::add && std::is_same_v<T, float>)
            if (global)
                return std::bit_cast<Word>(flush<true>(
                    changed<change, T>(flush<true>(std::bit_cast<T>(old)), flush<true>(std::bit_cast<T>(b)), T{})));
        return std::bit_cast<Word>(changed<change, T>(std::bit_cast<T>(old), std::bit_cast<T>(b), std::bit_cast<T>(c)));
    });
}

template <Change change, typename Format, typename Word> void change_halves(Warp& warp, const Step& step, Lanes lanes) {
    each_word<Word>(warp, step, lanes,
                    [](Word old, Word b, Word, bool) { return changed_halves<Format, Word, change>(old, b); });
}

template <Change change> Handler arithmetic(Type type) {
    switch (type) {
    case Type::u32: return &change_number<change, std::uint32_t>;
    case Type::s32: return &change_number<change, std::int32_t>;
    case Type::u64: return &change_number<change, std::uint64_t>;
    case Type::s64: return &change_number<change, std::int64_t>;
    case Type::f32: return &change_number<change, float>;
    case Type::f64: return &change_number<change, double>;
    case Type::f16: return &change_halves<change, Half, std::uint16_t>;
    case Type::f16x2: return &change_halves<change, Half, std::uint32_t>;
    case Type::bf16: return &change_halves<change, Brain, std::uint16_t>;
    case Type::bf16x2: return &change_halves<change, Brain, std::uint32_t>;
    default: return nullptr;
    }
}

template <Change change> Handler bitwise(Type type) {
    switch (ptx::is_floating(type) ? 0 : ptx::bytes(type)) {
    case 2:
        return change == Change::compare || change == Change::exchange ? &change_number<change, std::uint16_t>
                                                                       : nullptr;
    case 4: return &change_number<change, std::uint32_t>;
    case 8: return &change_number<change, std::uint64_t>;
    default: return nullptr;
    }
}

Handler handler_of(std::string_view operation, Type type) {
    if (operation == "add")
        return arithmetic<Change::add>(type);
    if (operation == "min")
        return arithmetic<Change::minimum>(type);
    if (operation == "max")
        return arithmetic<Change::maximum>(type);
    if (operation == "and")
        return bitwise<Change::conjunction>(type);
    if (operation == "or")
        return bitwise<Change::disjunction>(type);
    if (operation == "xor")
        return bitwise<Change::difference>(type);
    if (operation == "exch")
        return bitwise<Change::exchange>(type);
    if (operation == "cas")
        return bitwise<Change::compare>(type);
    if (operation == "inc")
        return type == Type::u32 ? bitwise<Change::increment>(type) : nullptr;
    return operation == "dec" && type == Type::u32 ? bitwise<Change::decrement>(type) : nullptr;
}

/// An ordered operation is one between two fences, for those who look for races.
void emit_ordering(Instruction& i) {
    Step step;
    step.guard = i.step.guard;
    step.guarded_by = i.step.guarded_by;
    step.run = [](Warp& warp, const Step&, Lanes) { warp.order_all(); };
    i.names().code().steps.push_back(step);
}

} // namespace

void decode_atom(Instruction& i) {
    const bool returns = i.opcode() == "atom";
    const std::string_view order = i.modifiers.take_one({"relaxed", "acquire", "release", "acq_rel"});
    if (!order.empty() && order != "relaxed")
        emit_ordering(i);
    i.modifiers.take_one({"cta", "cluster", "gpu", "sys"});
    const Where where = take_where(i);
    const std::string_view operation =
        i.modifiers.take_one({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
    i.modifiers.take("noftz");
    const bool vector = !i.modifiers.take_one({"v2", "v4", "v8"}).empty();
    const Type type = i.type();
    const bool policy = i.modifiers.take("L2::cache_hint"); // one operand more
    const std::size_t at = returns ? 1 : 0;
    const std::size_t sources = operation == "cas" ? 2 : 1;
    if (i.size() != at + 1 + sources + (policy ? 1 : 0))
        i.unsupported();
    encode_address(i, i.operand(at));
    i.step.space = static_cast<std::uint8_t>(where);
    const Handler handler = handler_of(operation, type);
    if (vector) {
        const std::vector<ptx::Operand>& values = i.operand(at + 1).parts;
        for (std::size_t k = 0; k < values.size(); ++k) {
            i.step.b = i.source(values[k], type);
            i.step.c = i.step.b;
            i.step.d = returns ? i.destination(i.operand(0).parts.at(k), type) : i.names().code().sink;
            i.emit(handler);
            i.step.immediate += ptx::bytes(type);
        }
        return;
    }
    i.step.d = returns ? i.destination(0, type) : i.names().code().sink;
    i.step.b = i.source(at + 1, type);
    i.step.c = sources == 2 ? i.source(at + 2, type) : i.step.b;
    i.emit(handler);
}

} // namespace cudabench::cpu
