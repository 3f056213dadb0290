#pragma once

#include "executor/cpu/instruction.h"
#include "executor/cpu/warp.h"

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

/// Handlers that do the same for each lane: a function of scalars becomes a loop over 32 lanes, which the compiler
/// turns into vector instructions. Such a loop computes all lanes and then writes only those asked for.
namespace cudabench::cpu {

/// Whether the host has AVX2 and FMA: each handler exists with and without them.
[[nodiscard]] bool wide_host();

namespace detail {

template <typename R> [[gnu::always_inline]] inline void put(R* destination, const R* result, Lanes lanes, bool whole) {
    if (whole) {
        for (unsigned lane = 0; lane < warp_size; ++lane)
            destination[lane] = result[lane];
    } else {
        for (unsigned lane = 0; lane < warp_size; ++lane)
            destination[lane] = has(lanes, lane) ? result[lane] : destination[lane];
    }
}

template <auto Apply, typename R, typename... A, std::size_t... I>
[[gnu::always_inline]] inline void map(Warp& warp, const Step& step, Lanes lanes, R (*)(A...),
                                       std::index_sequence<I...>) {
    const std::array<Place, 3> places = {step.a, step.b, step.c};
    const std::tuple<const A*...> sources{warp.at<A>(places[I])...};
    alignas(64) R result[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane)
        result[lane] = Apply(std::get<I>(sources)[lane]...);
    put(warp.at<R>(step.d), result, lanes, warp.whole(lanes));
}

template <auto Apply, typename... A, std::size_t... I>
[[gnu::always_inline]] inline Lanes test(Warp& warp, const Step& step, bool (*)(A...), std::index_sequence<I...>) {
    const std::array<Place, 3> places = {step.a, step.b, step.c};
    const std::tuple<const A*...> sources{warp.at<A>(places[I])...};
    Lanes result = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        result |= static_cast<Lanes>(Apply(std::get<I>(sources)[lane]...)) << lane;
    return result;
}

template <typename R, typename... A> constexpr std::size_t arity(R (*)(A...)) {
    return sizeof...(A);
}

/// Runs `Body::run` compiled for the host at hand.
template <typename Body> [[gnu::flatten]] void run_plain(Warp& warp, const Step& step, Lanes lanes) {
    Body::run(warp, step, lanes);
}

#ifdef __x86_64__
template <typename Body>
[[gnu::flatten, gnu::target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")]] void run_wide(Warp& warp, const Step& step,
                                                                                   Lanes lanes) {
    Body::run(warp, step, lanes);
}
#endif

template <auto Apply> struct Map {
    [[gnu::always_inline]] static void run(Warp& warp, const Step& step, Lanes lanes) {
        map<Apply>(warp, step, lanes, Apply, std::make_index_sequence<arity(Apply)>());
    }
};

} // namespace detail

/// The handler of a `Body` with `static void run(Warp&, const Step&, Lanes)`.
template <typename Body> [[nodiscard]] Handler handler() {
#ifdef __x86_64__
    if (wide_host())
        return &detail::run_wide<Body>;
#endif
    return &detail::run_plain<Body>;
}

/// d = Apply(a, b, c), as many as it takes.
template <auto Apply> [[nodiscard]] Handler elementwise() {
    return handler<detail::Map<Apply>>();
}

/// Whether `T` computes values of a PTX type: bit types as unsigned ones.
template <typename T> [[nodiscard]] bool computes(ptx::Type type) {
    using ptx::Type;
    if constexpr (std::is_same_v<T, float>)
        return type == Type::f32;
    else if constexpr (std::is_same_v<T, double>)
        return type == Type::f64;
    else if constexpr (std::is_signed_v<T>)
        return type == (sizeof(T) == 2 ? Type::s16 : sizeof(T) == 4 ? Type::s32 : Type::s64);
    else
        return type == (sizeof(T) == 2   ? Type::u16
                        : sizeof(T) == 4 ? Type::u32
                                         : Type::u64) ||
               type == (sizeof(T) == 2   ? Type::b16
                        : sizeof(T) == 4 ? Type::b32
                                         : Type::b64);
}

/// Calls `make.operator()<T>()` with the first of the types that computes `type`. Null for none.
template <typename... T, typename Make> [[nodiscard]] Handler by_type(ptx::Type type, Make make) {
    Handler found = nullptr;
    (void)((computes<T>(type) && (found = make.template operator()<T>(), true)) || ...);
    return found;
}

/// For what sign does not matter to: signed types are computed as unsigned ones.
[[nodiscard]] inline ptx::Type as_unsigned(ptx::Type type) {
    switch (type) {
    case ptx::Type::s16: return ptx::Type::u16;
    case ptx::Type::s32: return ptx::Type::u32;
    case ptx::Type::s64: return ptx::Type::u64;
    default: return type;
    }
}

/// Takes destination and sources, all of one type, from the operands.
inline void take_operands(Instruction& instruction, ptx::Type type, std::size_t sources) {
    if (instruction.size() != sources + 1)
        instruction.unsupported();
    instruction.step.d = instruction.destination(0, type);
    const std::array<Place*, 3> places = {&instruction.step.a, &instruction.step.b, &instruction.step.c};
    for (std::size_t i = 0; i < sources; ++i)
        *places[i] = instruction.source(i + 1, type);
}

} // namespace cudabench::cpu
