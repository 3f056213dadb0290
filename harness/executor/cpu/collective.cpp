#include "executor/cpu/alu.h"
#include "executor/cpu/warp.h"

#include <algorithm>
#include <array>
#include <cstring>

/// What the lanes of a warp do together: shfl, vote, match, redux, activemask, elect. A handler gets the lanes of one
/// member mask that have met.
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;
using Row = std::array<std::uint32_t, warp_size>;

Row row(Warp& warp, Place place) {
    Row values;
    std::memcpy(values.data(), warp.at<std::uint32_t>(place), sizeof values);
    return values;
}

enum class Shuffle : std::uint8_t { up, down, butterfly, index };

/// As the pseudocode of shfl.sync in the PTX ISA.
template <Shuffle mode> void shuffle(Warp& warp, const Step& step, Lanes lanes) {
    const Row a = row(warp, step.a);
    const Row b = row(warp, step.b);
    const Row c = row(warp, step.c);
    auto* const d = warp.at<std::uint32_t>(step.d);
    Lanes inside = 0;
    each(lanes, [&](unsigned lane) {
        const std::uint32_t segment = (c[lane] >> 8) & 31;
        const std::uint32_t least = lane & segment;
        const std::uint32_t most = least | (c[lane] & 31 & ~segment);
        const std::uint32_t by = b[lane] & 31;
        std::uint32_t from = 0;
        bool valid = false;
        if constexpr (mode == Shuffle::up) {
            from = lane - by;
            valid = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(most);
        } else {
            from = mode == Shuffle::down ? lane + by : mode == Shuffle::butterfly ? lane ^ by : least | (by & ~segment);
            valid = from <= most;
        }
        d[lane] = a[valid ? from : lane];
        inside |= valid ? Lanes{1} << lane : 0;
    });
    if (step.flag)
        warp.set_predicate(Place(Place::Area::frame, step.target), inside, lanes);
}

enum class Vote : std::uint8_t { all, any, uniform, ballot };

template <Vote vote> void take_vote(Warp& warp, const Step& step, Lanes lanes) {
    const Lanes value = (step.flag ? ~warp.predicate(step.a) : warp.predicate(step.a)) & lanes;
    if constexpr (vote == Vote::ballot) {
        auto* const d = warp.at<std::uint32_t>(step.d);
        each(lanes, [&](unsigned lane) { d[lane] = value; });
    } else {
        const bool holds = vote == Vote::all   ? value == lanes
                           : vote == Vote::any ? value != 0
                                               : value == 0 || value == lanes;
        warp.set_predicate(step.d, holds ? all_lanes : 0, lanes);
    }
}

template <typename T, bool all> void find_matches(Warp& warp, const Step& step, Lanes lanes) {
    std::array<T, warp_size> a;
    std::memcpy(a.data(), warp.at<T>(step.a), sizeof a);
    auto* const d = warp.at<std::uint32_t>(step.d);
    bool same = true;
    each(lanes, [&](unsigned lane) {
        Lanes equal = 0;
        each(lanes, [&](unsigned other) { equal |= a[other] == a[lane] ? Lanes{1} << other : 0; });
        same = same && equal == lanes;
        d[lane] = equal;
    });
    if constexpr (all) {
        each(lanes, [&](unsigned lane) { d[lane] = same ? lanes : 0; });
        if (step.flag)
            warp.set_predicate(Place(Place::Area::frame, step.target), same ? all_lanes : 0, lanes);
    }
}

template <typename Combine> void reduce_with(Warp& warp, const Step& step, Lanes lanes, Combine combine) {
    const Row a = row(warp, step.a);
    std::uint32_t total = a[first(lanes)];
    each(lanes & (lanes - 1), [&](unsigned lane) { total = combine(total, a[lane]); });
    auto* const d = warp.at<std::uint32_t>(step.d);
    each(lanes, [&](unsigned lane) { d[lane] = total; });
}

std::uint32_t signed_of(std::uint32_t a, std::uint32_t b, bool smaller) {
    const auto x = static_cast<std::int32_t>(a);
    const auto y = static_cast<std::int32_t>(b);
    return static_cast<std::uint32_t>(smaller ? std::min(x, y) : std::max(x, y));
}

Handler reduction(std::string_view operation, bool is_signed) {
    using u32 = std::uint32_t;
    if (operation == "add")
        return [](Warp& w, const Step& s, Lanes l) { reduce_with(w, s, l, [](u32 a, u32 b) { return a + b; }); };
    if (operation == "and")
        return [](Warp& w, const Step& s, Lanes l) { reduce_with(w, s, l, [](u32 a, u32 b) { return a & b; }); };
    if (operation == "or")
        return [](Warp& w, const Step& s, Lanes l) { reduce_with(w, s, l, [](u32 a, u32 b) { return a | b; }); };
    if (operation == "xor")
        return [](Warp& w, const Step& s, Lanes l) { reduce_with(w, s, l, [](u32 a, u32 b) { return a ^ b; }); };
    if (operation == "min" && is_signed)
        return [](Warp& w, const Step& s, Lanes l) {
            reduce_with(w, s, l, [](u32 a, u32 b) { return signed_of(a, b, true); });
        };
    if (operation == "max" && is_signed)
        return [](Warp& w, const Step& s, Lanes l) {
            reduce_with(w, s, l, [](u32 a, u32 b) { return signed_of(a, b, false); });
        };
    if (operation == "min")
        return
            [](Warp& w, const Step& s, Lanes l) { reduce_with(w, s, l, [](u32 a, u32 b) { return std::min(a, b); }); };
    if (operation == "max")
        return
            [](Warp& w, const Step& s, Lanes l) { reduce_with(w, s, l, [](u32 a, u32 b) { return std::max(a, b); }); };
    return nullptr;
}

void active_mask(Warp& warp, const Step& step, Lanes lanes) {
    auto* const d = warp.at<std::uint32_t>(step.d);
    each(lanes, [&](unsigned lane) { d[lane] = lanes; });
}

void elect_leader(Warp& warp, const Step& step, Lanes lanes) {
    const unsigned leader = first(lanes);
    auto* const d = warp.at<std::uint32_t>(step.d);
    each(lanes, [&](unsigned lane) { d[lane] = leader; });
    warp.set_predicate(Place(Place::Area::frame, step.target), Lanes{1} << leader, lanes);
}

/// d or d|p: the predicate goes to `target`, as an offset in the frame.
void take_destination(Instruction& i, Type type) {
    const ptx::Operand& destination = i.operand(0);
    if (destination.kind != Kind::pair) {
        i.step.d = i.destination(0, type);
        return;
    }
    i.step.d = i.destination(destination.parts.at(0), type);
    i.step.target = i.predicate(destination.parts.at(1)).offset();
    i.step.flag = true;
}

void take_members(Instruction& i, std::size_t operand) {
    if (i.size() != operand + 1)
        i.unsupported();
    i.step.e = i.source(operand, Type::b32);
    i.step.control = Control::collective;
}

} // namespace

void decode_shfl(Instruction& i) {
    if (!i.modifiers.take("sync"))
        i.unsupported();
    const std::string_view mode = i.modifiers.take_one({"up", "down", "bfly", "idx"});
    const Type type = i.type();
    take_destination(i, type);
    i.step.a = i.source(1, type);
    i.step.b = i.source(2, Type::u32);
    i.step.c = i.source(3, Type::u32);
    take_members(i, 4);
    if (type != Type::b32 || mode.empty())
        i.unsupported();
    i.emit(mode == "up"     ? &shuffle<Shuffle::up>
           : mode == "down" ? &shuffle<Shuffle::down>
           : mode == "bfly" ? &shuffle<Shuffle::butterfly>
           : mode == "idx"  ? &shuffle<Shuffle::index>
                            : nullptr);
}

void decode_vote(Instruction& i) {
    if (!i.modifiers.take("sync"))
        i.unsupported();
    const std::string_view what = i.modifiers.take_one({"all", "any", "uni", "ballot"});
    const Type type = i.type();
    const bool ballot = what == "ballot";
    if (type != (ballot ? Type::b32 : Type::pred) || what.empty())
        i.unsupported();
    i.step.d = ballot ? i.destination(0, type) : i.predicate(i.operand(0));
    i.step.flag = i.operand(1).negated;
    if (i.is(1, Kind::integer)) { // a constant predicate
        i.step.a = i.names().constant(i.operand(1).bits != 0 ? ~std::uint64_t{0} : 0, 0, 4);
    } else {
        i.step.a = i.predicate(i.operand(1));
    }
    take_members(i, 2);
    i.emit(ballot          ? &take_vote<Vote::ballot>
           : what == "all" ? &take_vote<Vote::all>
           : what == "any" ? &take_vote<Vote::any>
                           : &take_vote<Vote::uniform>);
}

void decode_match(Instruction& i) {
    if (!i.modifiers.take("sync"))
        i.unsupported();
    const bool all = i.modifiers.take_one({"any", "all"}) == "all";
    const Type type = i.type();
    take_destination(i, Type::b32);
    i.step.a = i.source(1, type);
    take_members(i, 2);
    if (type == Type::b32)
        i.emit(all ? &find_matches<std::uint32_t, true> : &find_matches<std::uint32_t, false>);
    else if (type == Type::b64)
        i.emit(all ? &find_matches<std::uint64_t, true> : &find_matches<std::uint64_t, false>);
    else
        i.unsupported();
}

void decode_redux(Instruction& i) {
    if (!i.modifiers.take("sync"))
        i.unsupported();
    const std::string_view operation = i.modifiers.take_one({"add", "min", "max", "and", "or", "xor"});
    const Type type = i.type();
    if (type != Type::u32 && type != Type::s32 && type != Type::b32)
        i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = i.source(1, type);
    take_members(i, 2);
    i.emit(reduction(operation, type == Type::s32));
}

void decode_activemask(Instruction& i) {
    const Type type = i.type();
    i.step.d = i.destination(0, type);
    i.emit(&active_mask);
}

void decode_elect(Instruction& i) {
    if (!i.modifiers.take("sync"))
        i.unsupported();
    take_destination(i, Type::b32);
    if (!i.step.flag)
        i.unsupported();
    take_members(i, 1);
    i.emit(&elect_leader);
}

} // namespace cudabench::cpu
