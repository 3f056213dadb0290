#include "executor/cpu/access.h"
#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"
#include "executor/cpu/grid.h"
#include "executor/cpu/registers.h"
#include "executor/cpu/thread_fence.h"

#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/// ld, st, cp.async: PTX section "Data Movement and Conversion".
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

/// 16 bytes at once, as one access: hosts with AVX do so for aligned vectors. Atomic, but no sanitizer knows.
[[gnu::no_sanitize_thread]] void copy_16_at_once(std::byte* to, const std::byte* from) {
#ifdef __SSE2__
    // Unaligned on the registers' side.
    __m128i value;
    if ((reinterpret_cast<std::uintptr_t>(from) & 15) == 0)
        value = *reinterpret_cast<const volatile __m128i*>(from);
    else
        value = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    if ((reinterpret_cast<std::uintptr_t>(to) & 15) == 0)
        *reinterpret_cast<volatile __m128i*>(to) = value;
    else
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
#else
    std::memcpy(to, from, 16);
#endif
}

/// One element of `M` in memory, held in a register of `R`. `strong`: seen by others in order.
template <typename M, bool strong> [[gnu::always_inline]] inline M load_element(const std::byte* from) {
    M value;
    if constexpr (strong)
        __atomic_load(reinterpret_cast<const M*>(from), &value, __ATOMIC_ACQUIRE);
    else
        std::memcpy(&value, from, sizeof value);
    return value;
}

/// What a register holds of it: signed integers keep their sign.
template <typename R, typename M> [[gnu::always_inline]] inline R widened(M value) {
    return static_cast<R>(value); // NOLINT(bugprone-signed-char-misuse)
}

template <typename M, typename R, bool strong> struct Load {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Addresses addresses = addresses_of(warp, step, lanes);
        if constexpr (strong)
            warp.looks_in_order();
        R* const d = warp.at<R>(step.d);
        with_located(
            warp, static_cast<Where>(step.space), addresses, lanes, sizeof(M), Access::read,
            [&](Lanes some, Located located) {
                if (some == all_lanes) {
                    for (unsigned lane = 0; lane < warp_size; ++lane)
                        d[lane] = widened<R>(load_element<M, strong>(located.at(addresses[lane], lane)));
                } else {
                    each(some, [&](unsigned lane) {
                        d[lane] = widened<R>(load_element<M, strong>(located.at(addresses[lane], lane)));
                    });
                }
            },
            strong ? Strength::strong : Strength::weak);
    }
};

template <typename M, typename R, bool strong> struct LoadVector {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Addresses addresses = addresses_of(warp, step, lanes);
        if constexpr (strong)
            warp.looks_in_order();
        const std::vector<Place>& places = warp.code().places[step.target];
        const auto bytes = static_cast<std::uint32_t>(sizeof(M) * places.size());
        with_located(
            warp, static_cast<Where>(step.space), addresses, lanes, bytes, Access::read,
            [&](Lanes some, Located located) {
                if (strong && bytes == 16) {
                    each(some, [&](unsigned lane) {
                        alignas(16) std::array<M, 16 / sizeof(M)> value;
                        copy_16_at_once(reinterpret_cast<std::byte*>(value.data()), located.at(addresses[lane], lane));
                        for (std::size_t p = 0; p < places.size(); ++p)
                            warp.at<R>(places[p])[lane] = widened<R>(value[p]);
                    });
                    thread_fence(std::memory_order_acquire);
                    return;
                }
                for (std::size_t p = 0; p < places.size(); ++p) {
                    R* const d = warp.at<R>(places[p]);
                    each(some, [&](unsigned lane) {
                        d[lane] =
                            widened<R>(load_element<M, strong>(located.at(addresses[lane], lane) + p * sizeof(M)));
                    });
                }
            },
            strong ? Strength::strong : Strength::weak);
    }
};

template <typename M, bool strong> [[gnu::always_inline]] inline void store_element(std::byte* to, M value) {
    if constexpr (strong)
        __atomic_store(reinterpret_cast<M*>(to), &value, __ATOMIC_RELEASE);
    else
        std::memcpy(to, &value, sizeof value);
}

template <typename M, typename R, bool strong> struct Store {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Addresses addresses = addresses_of(warp, step, lanes);
        if constexpr (strong)
            warp.order_all();
        const R* const b = warp.at<R>(step.b);
        with_located(
            warp, static_cast<Where>(step.space), addresses, lanes, sizeof(M), Access::write,
            [&](Lanes some, Located located) {
                if (some == all_lanes) {
                    for (unsigned lane = 0; lane < warp_size; ++lane)
                        store_element<M, strong>(located.at(addresses[lane], lane), static_cast<M>(b[lane]));
                } else {
                    each(some, [&](unsigned lane) {
                        store_element<M, strong>(located.at(addresses[lane], lane), static_cast<M>(b[lane]));
                    });
                }
            },
            strong ? Strength::strong : Strength::weak);
    }
};

template <typename M, typename R, bool strong> struct StoreVector {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const Addresses addresses = addresses_of(warp, step, lanes);
        if constexpr (strong)
            warp.order_all();
        const std::vector<Place>& places = warp.code().places[step.target];
        const auto bytes = static_cast<std::uint32_t>(sizeof(M) * places.size());
        with_located(
            warp, static_cast<Where>(step.space), addresses, lanes, bytes, Access::write,
            [&](Lanes some, Located located) {
                if (strong && bytes == 16) {
                    thread_fence(std::memory_order_release);
                    each(some, [&](unsigned lane) {
                        alignas(16) std::array<M, 16 / sizeof(M)> value;
                        for (std::size_t p = 0; p < places.size(); ++p)
                            value[p] = static_cast<M>(warp.at<R>(places[p])[lane]);
                        copy_16_at_once(located.at(addresses[lane], lane),
                                        reinterpret_cast<const std::byte*>(value.data()));
                    });
                    return;
                }
                for (std::size_t p = 0; p < places.size(); ++p) {
                    const R* const from = warp.at<R>(places[p]);
                    each(some, [&](unsigned lane) {
                        store_element<M, strong>(located.at(addresses[lane], lane) + p * sizeof(M),
                                                 static_cast<M>(from[lane]));
                    });
                }
            },
            strong ? Strength::strong : Strength::weak);
    }
};

/// Kernel parameters at a fixed offset: all lanes read the same.
template <typename M, typename R> void load_parameter(Warp& warp, const Step& step, Lanes lanes) {
    M value;
    std::memcpy(&value, warp.grid().parameters.data() + step.immediate, sizeof value);
    R* const d = warp.at<R>(step.d);
    const R extended = widened<R>(value);
    if (warp.whole(lanes))
        for (unsigned lane = 0; lane < warp_size; ++lane)
            d[lane] = extended;
    else
        each(lanes, [&](unsigned lane) { d[lane] = extended; });
}

/// Of a function, by lane: `immediate` into storage at a, lanes `target` apart.
template <typename M, typename R> void load_passed(Warp& warp, const Step& step, Lanes lanes) {
    R* const d = warp.at<R>(step.d);
    const auto* const from = warp.at<std::byte>(step.a) + step.immediate;
    each(lanes, [&](unsigned lane) {
        M value;
        std::memcpy(&value, from + std::size_t{lane} * step.target, sizeof value);
        d[lane] = widened<R>(value);
    });
}
template <typename M, typename R> void store_passed(Warp& warp, const Step& step, Lanes lanes) {
    const R* const b = warp.at<R>(step.b);
    auto* const to = warp.at<std::byte>(step.a) + step.immediate;
    each(lanes, [&](unsigned lane) {
        const M value = static_cast<M>(b[lane]);
        std::memcpy(to + std::size_t{lane} * step.target, &value, sizeof value);
    });
}

/// Calls `make.operator()<M, R>()` for a type in memory and the bytes of a register.
template <typename Make> Handler for_held(Type type, std::uint32_t held, Make make) {
    const auto with = [&]<typename M>() -> Handler {
        if constexpr (sizeof(M) <= 2)
            if (held == 2)
                return make.template operator()<M, std::uint16_t>();
        if constexpr (sizeof(M) <= 4)
            if (held == 4)
                return make.template operator()<M, std::uint32_t>();
        return held == 8 ? make.template operator()<M, std::uint64_t>() : nullptr;
    };
    const bool sign = ptx::is_signed(type) && held > ptx::bytes(type);
    switch (ptx::bytes(type)) {
    case 1: return sign ? with.template operator()<std::int8_t>() : with.template operator()<std::uint8_t>();
    case 2: return sign ? with.template operator()<std::int16_t>() : with.template operator()<std::uint16_t>();
    case 4: return sign ? with.template operator()<std::int32_t>() : with.template operator()<std::uint32_t>();
    case 8: return with.template operator()<std::uint64_t>();
    default: return nullptr;
    }
}

Type bits_of_size(std::uint32_t bytes) {
    return bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : Type::b64;
}

struct AccessWords {
    Where where = Where::generic;
    bool strong = false;
    bool parameter = false;
    Type type = Type::b32;
};

template <template <typename, typename, bool> typename Body>
Handler access_handler(Instruction& i, const AccessWords& words, std::uint32_t held) {
    i.step.space = static_cast<std::uint8_t>(words.where);
    return for_held(words.type, held, [&]<typename M, typename R>() -> Handler {
        return words.strong ? &Body<M, R, true>::run : handler<Body<M, R, false>>();
    });
}

/// Modifiers that change neither values nor order.
void take_cache_hints(Instruction& i) {
    for (const std::string_view word : {"nc",
                                        "ca",
                                        "cg",
                                        "cs",
                                        "cv",
                                        "lu",
                                        "wb",
                                        "wt",
                                        "L1::evict_normal",
                                        "L1::evict_unchanged",
                                        "L1::evict_first",
                                        "L1::evict_last",
                                        "L1::no_allocate",
                                        "L2::evict_first",
                                        "L2::evict_last",
                                        "L2::evict_normal",
                                        "L2::64B",
                                        "L2::128B",
                                        "L2::256B",
                                        "uni"})
        i.modifiers.take(word);
}

/// Whether other threads may look at it at the same time.
bool take_strength(Instruction& i) {
    bool strong = !i.modifiers.take_one({"volatile", "relaxed", "acquire", "release", "mmio"}).empty();
    i.modifiers.take("weak");
    i.modifiers.take_one({"cta", "cluster", "gpu", "sys"});
    return strong;
}

/// The parameter that an address operand names; null if it is computed.
const ptx::Operand* named_parameter(const Instruction& i, const ptx::Operand& address) {
    if (address.kind != Kind::address || address.parts.size() != 1 || address.parts[0].kind != Kind::variable ||
        i.names().variable(address.parts[0].index).space != ptx::Space::param)
        return nullptr;
    return &address.parts[0];
}

std::uint32_t held_of(Instruction& i, const ptx::Operand& operand, Type type) {
    const std::uint32_t held = operand.kind == Kind::reg ? i.held_bytes(operand) : lane_bytes(type);
    if (held < ptx::bytes(type))
        i.unsupported();
    return held;
}

/// .param by name: one step for each element of a vector.
void decode_named_parameter(Instruction& i, const ptx::Operand& address, const ptx::Operand& base,
                            const ptx::Operand& value, Type type, bool loads) {
    const Passed* const passed = i.names().passed(base.index);
    const std::vector<ptx::Operand> elements = value.kind == Kind::vector ? value.parts : std::vector{value};
    std::int64_t offset = address.offset;
    const std::uint64_t size = i.names().variable(base.index).bytes;
    for (const ptx::Operand& element : elements) {
        if (offset < 0 || static_cast<std::uint64_t>(offset) + ptx::bytes(type) > size)
            i.unsupported();
        const std::uint32_t held = held_of(i, element, type);
        const Type bits = bits_of_size(held);
        if (loads)
            i.step.d = i.destination(element, bits);
        else
            i.step.b = i.source(element, element.kind == Kind::reg ? bits : type);
        i.step.immediate = offset;
        Handler handler = nullptr;
        if (passed == nullptr) {
            if (!loads)
                i.unsupported();
            i.step.immediate += i.names().code().parameter_offsets.at(base.index);
            handler = for_held(type, held, []<typename M, typename R>() { return &load_parameter<M, R>; });
        } else {
            i.step.a = passed->place;
            i.step.target = passed->stride;
            handler = loads ? for_held(type, held, []<typename M, typename R>() { return &load_passed<M, R>; })
                            : for_held(type, held, []<typename M, typename R>() { return &store_passed<M, R>; });
        }
        i.emit(handler);
        offset += ptx::bytes(type);
    }
}

AccessWords take_access(Instruction& i) {
    AccessWords words;
    words.parameter = !i.modifiers.take_one({"param", "param::entry", "param::func"}).empty();
    words.where = words.parameter ? Where::parameter : take_where(i);
    words.strong = take_strength(i);
    take_cache_hints(i);
    i.modifiers.take_one({"v2", "v4", "v8"});
    words.type = i.type();
    return words;
}

void take_elements(Instruction& i, const ptx::Operand& vector, Type type, std::uint32_t& held, bool loads) {
    std::vector<Place> places;
    held = 0;
    for (const ptx::Operand& element : vector.parts)
        if (element.kind == Kind::reg)
            held = held_of(i, element, type);
    if (held == 0)
        held = lane_bytes(type);
    const Type bits = bits_of_size(held);
    for (const ptx::Operand& element : vector.parts)
        places.push_back(loads ? i.destination(element, bits) : i.source(element, bits));
    const std::size_t bytes = places.size() * ptx::bytes(type);
    if (bytes > 32 || !std::has_single_bit(bytes))
        i.unsupported();
    i.step.target = static_cast<std::uint32_t>(i.names().code().places.size());
    i.names().code().places.push_back(std::move(places));
}

void decode_access(Instruction& i, const ptx::Operand& address, const ptx::Operand& value, bool loads) {
    const bool policy = i.modifiers.take("L2::cache_hint"); // one operand more
    if (i.size() != (policy ? 3U : 2U))
        i.unsupported();
    const AccessWords words = take_access(i);
    if (const ptx::Operand* const base = named_parameter(i, address))
        return words.parameter ? decode_named_parameter(i, address, *base, value, words.type, loads) : i.unsupported();
    if (words.parameter && !loads)
        i.unsupported();
    encode_address(i, address);
    std::uint32_t held = 0;
    if (value.kind == Kind::vector) {
        take_elements(i, value, words.type, held, loads);
        return i.emit(loads ? access_handler<LoadVector>(i, words, held) : access_handler<StoreVector>(i, words, held));
    }
    held = held_of(i, value, words.type);
    if (loads)
        i.step.d = i.destination(value, bits_of_size(held));
    else
        i.step.b = i.source(value, value.kind == Kind::reg ? bits_of_size(held) : words.type);
    i.emit(loads ? access_handler<Load>(i, words, held) : access_handler<Store>(i, words, held));
}

/// cp.async: done at once, which its rules allow. e: address in global memory; number of bytes to copy in c (or a
/// predicate: whether there are none), the rest up to `target` are zeros.
template <bool by_predicate> void copy_async(Warp& warp, const Step& step, Lanes lanes) {
    const auto* const sizes = warp.at<std::uint32_t>(step.c);
    const auto* const sources = warp.at<std::uint64_t>(step.e);
    const std::uint32_t bytes = step.target;
    const Addresses to = addresses_of(warp, step, lanes);
    Addresses from;
    std::array<std::uint32_t, warp_size> size;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        from[lane] = sources[lane] + *warp.at<std::uint64_t>(step.b);
        size[lane] = by_predicate ? (has(warp.predicate(step.c), lane) ? 0 : bytes) : std::min(sizes[lane], bytes);
    }
    std::array<std::array<std::byte, 16>, warp_size> values{};
    for (Lanes rest = lanes; rest != 0;) { // those of one size together
        const std::uint32_t now = size[first(rest)];
        Lanes group = 0;
        each(rest, [&](unsigned lane) { group |= size[lane] == now ? Lanes{1} << lane : 0; });
        rest &= ~group;
        if (now != 0)
            with_located(
                warp, Where::global, from, group, now, Access::read,
                [&](Lanes some, Located located) {
                    each(some,
                         [&](unsigned lane) { std::memcpy(values[lane].data(), located.at(from[lane], lane), now); });
                },
                Strength::weak, bytes);
    }
    with_located(warp, Where::shared, to, lanes, bytes, Access::write, [&](Lanes some, Located located) {
        each(some, [&](unsigned lane) { std::memcpy(located.at(to[lane], lane), values[lane].data(), bytes); });
    });
}

void nothing(Warp&, const Step&, Lanes) {}

} // namespace

void decode_ld(Instruction& i) {
    decode_access(i, i.operand(1), i.operand(0), true);
}

void decode_st(Instruction& i) {
    decode_access(i, i.operand(0), i.operand(1), false);
}

void decode_cp(Instruction& i) {
    if (!i.modifiers.take("async"))
        i.unsupported();
    if (i.modifiers.take("bulk"))
        return decode_copy_bulk(i);
    if (i.modifiers.take("mbarrier"))
        return decode_copy_arrival(i);
    if (!i.modifiers.take_one({"commit_group", "wait_group", "wait_all"}).empty())
        return i.emit(&nothing);
    i.modifiers.take_one({"ca", "cg"});
    const bool policy = i.modifiers.take("L2::cache_hint");
    for (const std::string_view word : {"L2::64B", "L2::128B", "L2::256B"})
        i.modifiers.take(word);
    if (!i.modifiers.take("shared") && !i.modifiers.take("shared::cta"))
        i.unsupported();
    const std::size_t size = i.size() - (policy ? 1 : 0);
    if (!i.modifiers.take("global") || size < 3 || size > 4 || !i.is(2, Kind::integer))
        i.unsupported();
    const std::uint64_t bytes = i.operand(2).bits;
    const ptx::Operand& source = i.operand(1);
    if ((bytes != 4 && bytes != 8 && bytes != 16) || source.kind != Kind::address || source.parts.size() != 1)
        i.unsupported();
    const bool ignores = size == 4 && i.is(3, Kind::reg) && i.held_bytes(i.operand(3)) == 0; // a predicate
    if (size == 4 && !ignores && !(i.is(3, Kind::reg) && i.held_bytes(i.operand(3)) == 4) && !i.is(3, Kind::integer))
        i.unsupported();
    encode_address(i, i.operand(0));
    i.step.b = i.names().constant(static_cast<std::uint64_t>(source.offset), 0, 8);
    i.step.e = i.source(source.parts.front(), Type::u64);
    i.step.target = static_cast<std::uint32_t>(bytes);
    if (ignores) {
        i.step.c = i.predicate(i.operand(3));
        return i.emit(&copy_async<true>);
    }
    i.step.c = size == 4 ? i.source(3, Type::u32) : i.names().constant(bytes, 0, 4);
    i.emit(&copy_async<false>);
}

/// A policy of caches, which means nothing here.
void decode_createpolicy(Instruction& i) {
    while (!i.modifiers.empty())
        i.modifiers.take_first();
    i.step.d = i.destination(0, Type::b64);
    i.emit([](Warp& warp, const Step& step, Lanes lanes) {
        each(lanes, [d = warp.at<std::uint64_t>(step.d)](unsigned lane) { d[lane] = 0; });
    });
}

void decode_hint(Instruction& i) {
    while (!i.modifiers.empty())
        i.modifiers.take_first();
    i.emit(&nothing);
}

} // namespace cudabench::cpu
