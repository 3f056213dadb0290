#include "executor/cpu/access.h"
#include "executor/cpu/alu.h"

#include <cstring>

/// mbarrier, and the copies that complete one: PTX sections "mbarrier" and "Asynchronous copy". Copies are done at
/// once, which their rules allow.
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

constexpr std::uint32_t barrier_bytes = 8;
constexpr std::uint32_t most_arrivals = (1 << 20) - 1;
constexpr std::uint32_t bulk_unit = 16; ///< bytes that bulk copies are aligned to, and move multiples of

/// The contents of an mbarrier, which PTX leaves open. What arrive returns is the contents before.
struct Phase {
    std::uint32_t pending = 0;
    std::uint32_t expected = 0;
    std::int32_t bytes = 0; ///< that copies have still to move; negative if they came before they were expected
    bool parity = false;
    bool valid = false;

    [[nodiscard]] static Phase of(std::uint64_t bits) {
        return {.pending = static_cast<std::uint32_t>(bits) & most_arrivals,
                .expected = static_cast<std::uint32_t>(bits >> 20) & most_arrivals,
                .bytes = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits >> 40) << 10) >> 10,
                .parity = (bits >> 62 & 1) != 0,
                .valid = bits >> 63 != 0};
    }
    [[nodiscard]] std::uint64_t contents() const {
        constexpr std::uint32_t bytes_mask = (1 << 22) - 1;
        return std::uint64_t{pending} | std::uint64_t{expected} << 20 |
               std::uint64_t{static_cast<std::uint32_t>(bytes) & bytes_mask} << 40 |
               std::uint64_t{parity ? 1U : 0U} << 62 | std::uint64_t{valid ? 1U : 0U} << 63;
    }
    void complete_if_done() {
        if (pending != 0 || bytes != 0)
            return;
        parity = !parity;
        pending = expected;
    }
};

/// The barrier at an address of shared memory.
class Barrier {
public:
    Barrier(Warp& warp, Where where, std::uint64_t address, unsigned lane)
        : bytes_(locate(warp, where, address, lane, barrier_bytes, Access::read_write).at(address, lane)), lane_(lane) {
        std::uint64_t contents = 0;
        std::memcpy(&contents, bytes_, sizeof contents);
        phase = Phase::of(contents);
    }
    /// One that mbarrier.init has made.
    static Barrier made(Warp& warp, Where where, std::uint64_t address, unsigned lane) {
        Barrier barrier(warp, where, address, lane);
        if (!barrier.phase.valid)
            throw Fault("mbarrier that was not initialised", lane);
        return barrier;
    }
    void store() const {
        const std::uint64_t contents = phase.contents();
        std::memcpy(bytes_, &contents, sizeof contents);
    }
    void arrive(std::uint32_t count) {
        if (count > phase.pending)
            throw Fault("more arrivals at an mbarrier than it expects", lane_);
        phase.pending -= count;
    }

    Phase phase{};

private:
    std::byte* bytes_;
    unsigned lane_;
};

/// b: a count or number of bytes; d: the state before.
template <typename Change> void change(Warp& warp, const Step& step, Lanes lanes, Change apply) {
    warp.order_all();
    const Addresses addresses = addresses_of(warp, step, lanes);
    const auto* const b = warp.at<std::uint32_t>(step.b);
    auto* const d = warp.at<std::uint64_t>(step.d);
    each(lanes, [&](unsigned lane) {
        Barrier barrier = Barrier::made(warp, static_cast<Where>(step.space), addresses[lane], lane);
        const std::uint64_t before = barrier.phase.contents();
        apply(barrier, b[lane]);
        barrier.phase.complete_if_done();
        barrier.store();
        d[lane] = before;
    });
}

void initialise(Warp& warp, const Step& step, Lanes lanes) {
    const Addresses addresses = addresses_of(warp, step, lanes);
    const auto* const counts = warp.at<std::uint32_t>(step.b);
    each(lanes, [&](unsigned lane) {
        const std::uint32_t count = counts[lane];
        if (count == 0 || count > most_arrivals)
            throw Fault("mbarrier for a number of arrivals that is not among 1 to 2^20 - 1", lane);
        Barrier barrier(warp, static_cast<Where>(step.space), addresses[lane], lane);
        barrier.phase = {.pending = count, .expected = count, .bytes = 0, .parity = false, .valid = true};
        barrier.store();
    });
}

void invalidate(Warp& warp, const Step& step, Lanes lanes) {
    const Addresses addresses = addresses_of(warp, step, lanes);
    each(lanes, [&](unsigned lane) {
        Barrier barrier = Barrier::made(warp, static_cast<Where>(step.space), addresses[lane], lane);
        barrier.phase = {};
        barrier.store();
    });
}

void arrive(Warp& warp, const Step& step, Lanes lanes) {
    change(warp, step, lanes, [](Barrier& barrier, std::uint32_t count) { barrier.arrive(count); });
}

void arrive_and_drop(Warp& warp, const Step& step, Lanes lanes) {
    change(warp, step, lanes, [](Barrier& barrier, std::uint32_t count) {
        barrier.arrive(count);
        barrier.phase.expected -= count;
    });
}

void arrive_and_expect(Warp& warp, const Step& step, Lanes lanes) {
    change(warp, step, lanes, [](Barrier& barrier, std::uint32_t bytes) {
        barrier.phase.bytes += static_cast<std::int32_t>(bytes);
        barrier.arrive(1);
    });
}

void expect(Warp& warp, const Step& step, Lanes lanes) {
    change(warp, step, lanes,
           [](Barrier& barrier, std::uint32_t bytes) { barrier.phase.bytes += static_cast<std::int32_t>(bytes); });
}

/// Whether the phase of state b (or of parity b) is over.
template <bool by_parity> void wait(Warp& warp, const Step& step, Lanes lanes) {
    warp.looks_in_order();
    const Addresses addresses = addresses_of(warp, step, lanes);
    Lanes over = 0;
    each(lanes, [&](unsigned lane) {
        const Barrier barrier = Barrier::made(warp, static_cast<Where>(step.space), addresses[lane], lane);
        const bool parity = by_parity ? (warp.at<std::uint32_t>(step.b)[lane] & 1) != 0
                                      : Phase::of(warp.at<std::uint64_t>(step.b)[lane]).parity;
        over |= barrier.phase.parity != parity ? Lanes{1} << lane : 0;
    });
    warp.set_predicate(step.d, over, lanes);
}

void count_pending(Warp& warp, const Step& step, Lanes lanes) {
    const auto* const a = warp.at<std::uint64_t>(step.a);
    auto* const d = warp.at<std::uint32_t>(step.d);
    each(lanes, [&](unsigned lane) { d[lane] = static_cast<std::uint32_t>(Phase::of(a[lane]).pending); });
}

/// a, immediate ...: where to; c: bytes. `space`: where to.
void copy_bulk(Warp& warp, const Step& step, Lanes lanes) {
    const CopySite& site = warp.code().copies[step.target];
    const Addresses to = addresses_of(warp, step, lanes);
    const Addresses from = addresses_of(warp, site.source);
    const auto* const sizes = warp.at<std::uint32_t>(step.c);
    const auto where_to = static_cast<Where>(step.space);
    const auto where_from = site.from_shared ? Where::shared : Where::global;
    each(lanes, [&](unsigned lane) {
        const std::uint32_t bytes = sizes[lane];
        if (bytes % bulk_unit != 0)
            throw Fault("bulk copy of a number of bytes that is no multiple of 16", lane);
        const Lanes alone = Lanes{1} << lane;
        if (bytes != 0)
            with_located(
                warp, where_from, from, alone, bytes, Access::read,
                [&](Lanes, Located source) {
                    with_located(
                        warp, where_to, to, alone, bytes, Access::write,
                        [&](Lanes, Located target) {
                            std::memmove(target.at(to[lane], lane), source.at(from[lane], lane), bytes);
                        },
                        Strength::weak, bulk_unit);
                },
                Strength::weak, bulk_unit);
        if (!site.completes)
            return;
        Barrier barrier = Barrier::made(warp, Where::shared, addresses_of(warp, site.barrier)[lane], lane);
        barrier.phase.bytes -= static_cast<std::int32_t>(bytes);
        barrier.phase.complete_if_done();
        barrier.store();
    });
}

void take_where_and_order(Instruction& i) {
    i.modifiers.take_one({"acquire", "release", "relaxed"});
    i.modifiers.take_one({"cta", "cluster", "gpu", "sys"});
    i.step.space = static_cast<std::uint8_t>(take_where(i));
    i.modifiers.take("b64");
}

} // namespace

void decode_mbarrier(Instruction& i) {
    const std::string_view what = i.modifiers.take_one(
        {"init", "inval", "arrive", "arrive_drop", "expect_tx", "test_wait", "try_wait", "pending_count"});
    if (what == "pending_count") {
        i.modifiers.take("b64");
        i.step.d = i.destination(0, Type::u32);
        i.step.a = i.source(1, Type::b64);
        return i.emit(&count_pending);
    }
    const bool expects = what == "arrive" && i.modifiers.take("expect_tx");
    if (what == "arrive" || what == "arrive_drop")
        i.modifiers.take("noComplete");
    const bool parity = i.modifiers.take("parity");
    take_where_and_order(i);
    if (what == "test_wait" || what == "try_wait") { // how long to wait at most is the fourth operand
        if (i.size() < 3 || i.size() > 4)
            i.unsupported();
        i.step.d = i.predicate(i.operand(0));
        encode_address(i, i.operand(1));
        i.step.b = i.source(2, parity ? Type::u32 : Type::b64);
        return i.emit(parity ? &wait<true> : &wait<false>);
    }
    // arrive has a result, unless the barrier is another block's.
    const bool results = what.starts_with("arrive") && !i.is(0, Kind::address);
    const std::size_t at = results ? 1 : 0;
    if (parity || what.empty() || i.size() > at + 2)
        i.unsupported();
    i.step.d = results ? i.destination(0, Type::b64) : i.names().code().sink;
    encode_address(i, i.operand(at));
    i.step.b = i.size() > at + 1 ? i.source(at + 1, Type::u32) : i.names().constant(1, 0, 4);
    if ((what == "init" || what == "expect_tx" || expects) && i.size() != at + 2)
        i.unsupported();
    i.emit(what == "init"          ? &initialise
           : what == "inval"       ? &invalidate
           : what == "expect_tx"   ? &expect
           : what == "arrive_drop" ? &arrive_and_drop
           : expects               ? &arrive_and_expect
                                   : &arrive);
}

/// Without .noinc the arrival was not counted before: it changes nothing.
void decode_copy_arrival(Instruction& i) {
    if (!i.modifiers.take("arrive"))
        i.unsupported();
    const bool counted = i.modifiers.take("noinc");
    take_where_and_order(i);
    encode_address(i, i.operand(0));
    i.step.b = i.names().constant(counted ? 1 : 0, 0, 4);
    i.step.d = i.names().code().sink;
    i.emit(&arrive);
}

void decode_copy_bulk(Instruction& i) {
    if (!i.modifiers.take_one({"commit_group", "wait_group", "prefetch"}).empty()) {
        while (!i.modifiers.empty())
            i.modifiers.take_first();
        return i.emit([](Warp&, const Step&, Lanes) {});
    }
    const std::string_view to = i.modifiers.take_first();
    const std::string_view from = i.modifiers.take_first();
    const bool stores = to == "global" && from == "shared::cta";
    const bool loads = (to == "shared::cluster" || to == "shared::cta") && (from == "global" || from == "shared::cta");
    const std::string_view completion = i.modifiers.take_first();
    const bool hint = i.modifiers.take("L2::cache_hint");
    const std::size_t operands = stores ? 3 : 4;
    if (!(stores ? completion == "bulk_group" : loads && completion == "mbarrier::complete_tx::bytes") ||
        i.size() != operands + (hint ? 1 : 0))
        i.unsupported();
    CopySite site;
    site.source = address_operand(i, i.operand(1));
    site.from_shared = from != "global";
    site.completes = loads;
    if (loads)
        site.barrier = address_operand(i, i.operand(3));
    encode_address(i, i.operand(0));
    i.step.c = i.source(2, Type::u32);
    i.step.space = static_cast<std::uint8_t>(stores ? Where::global : Where::shared);
    i.step.target = static_cast<std::uint32_t>(i.names().code().copies.size());
    i.names().code().copies.push_back(site);
    i.emit(&copy_bulk);
}

} // namespace cudabench::cpu
