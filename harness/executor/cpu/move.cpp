#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"
#include "executor/cpu/windows.h"

#include <array>
#include <chrono>
#include <cstring>

/// mov, cvta, isspacep: PTX section "Data Movement and Conversion".
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

template <typename T> T same(T a) {
    return a;
}

template <unsigned bytes> struct Copy16 {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        each(lanes, [&](unsigned lane) {
            std::memcpy(warp.at<std::byte>(step.d) + std::size_t{lane} * bytes,
                        warp.at<std::byte>(step.a) + std::size_t{lane} * bytes, bytes);
        });
    }
};

Handler copy_of(std::uint32_t bytes) {
    switch (bytes) {
    case 2: return elementwise<&same<std::uint16_t>>();
    case 4: return elementwise<&same<std::uint32_t>>();
    case 8: return elementwise<&same<std::uint64_t>>();
    case 16: return &Copy16<16>::run;
    default: return nullptr;
    }
}

void copy_predicate(Warp& warp, const Step& step, Lanes lanes) {
    warp.set_predicate(step.d, warp.predicate(step.a), lanes);
}
void set_predicate(Warp& warp, const Step& step, Lanes lanes) {
    warp.set_predicate(step.d, step.immediate != 0 ? all_lanes : 0, lanes);
}

/// Where a local variable lies: the same in each lane.
void local_address(Warp& warp, const Step& step, Lanes lanes) {
    auto* const d = warp.at<std::uint64_t>(step.d);
    const std::uint64_t address = warp.local_frame() + static_cast<std::uint64_t>(step.immediate);
    each(lanes, [&](unsigned lane) { d[lane] = address; });
}
void local_address_32(Warp& warp, const Step& step, Lanes lanes) {
    auto* const d = warp.at<std::uint32_t>(step.d);
    const auto address = static_cast<std::uint32_t>(warp.local_frame() + static_cast<std::uint64_t>(step.immediate));
    each(lanes, [&](unsigned lane) { d[lane] = address; });
}

/// Vectors are put together and taken apart in memory order.
void pack(Warp& warp, const Step& step, Lanes lanes) {
    const std::vector<Place>& parts = warp.code().places[step.target];
    const std::size_t bytes = step.number;
    std::array<std::array<std::byte, 16>, warp_size> result{};
    each(lanes, [&](unsigned lane) {
        for (std::size_t p = 0; p < parts.size(); ++p)
            std::memcpy(&result[lane][p * bytes], warp.at<std::byte>(parts[p]) + lane * bytes, bytes);
    });
    const std::size_t whole = bytes * parts.size();
    each(lanes, [&](unsigned lane) { std::memcpy(warp.at<std::byte>(step.d) + lane * whole, &result[lane], whole); });
}
void unpack(Warp& warp, const Step& step, Lanes lanes) {
    const std::vector<Place>& parts = warp.code().places[step.target];
    const std::size_t bytes = step.number;
    const std::size_t whole = bytes * parts.size();
    each(lanes, [&](unsigned lane) {
        std::array<std::byte, 16> value{};
        std::memcpy(&value, warp.at<std::byte>(step.a) + lane * whole, whole);
        for (std::size_t p = 0; p < parts.size(); ++p)
            std::memcpy(warp.at<std::byte>(parts[p]) + lane * bytes, &value[p * bytes], bytes);
    });
}

/// Nanoseconds and steps of the warp stand for the clocks of a GPU.
enum class Clock : std::uint8_t { nanoseconds, cycles };
template <typename T, Clock clock, unsigned shift> void read_clock(Warp& warp, const Step& step, Lanes lanes) {
    warp.looked();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto value = static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
    T* const d = warp.at<T>(step.d);
    each(lanes, [&](unsigned lane) { d[lane] = static_cast<T>(value >> shift); });
}

Handler clock_named(std::string_view name) {
    if (name == "%clock" || name == "%clock_lo")
        return &read_clock<std::uint32_t, Clock::cycles, 0>;
    if (name == "%clock_hi")
        return &read_clock<std::uint32_t, Clock::cycles, 32>;
    if (name == "%clock64")
        return &read_clock<std::uint64_t, Clock::cycles, 0>;
    if (name == "%globaltimer")
        return &read_clock<std::uint64_t, Clock::nanoseconds, 0>;
    if (name == "%globaltimer_lo")
        return &read_clock<std::uint32_t, Clock::nanoseconds, 0>;
    if (name == "%globaltimer_hi")
        return &read_clock<std::uint32_t, Clock::nanoseconds, 32>;
    return nullptr;
}

Type part_type(Instruction& i, Type whole, std::size_t parts) {
    const std::size_t bytes = parts == 0 ? 0 : ptx::bytes(whole) / parts;
    switch (bytes) {
    case 2: return Type::b16;
    case 4: return Type::b32;
    case 8: return Type::b64;
    default: i.unsupported();
    }
}

void decode_vector_move(Instruction& i, Type type, const ptx::Operand& vector, bool packs) {
    const Type part = part_type(i, type, vector.parts.size());
    std::vector<Place> places;
    for (const ptx::Operand& operand : vector.parts)
        places.push_back(packs ? i.source(operand, part) : i.destination(operand, part));
    if (packs)
        i.step.d = i.destination(0, type);
    else
        i.step.a = i.source(1, type);
    i.step.number = static_cast<std::uint8_t>(ptx::bytes(part));
    i.step.target = static_cast<std::uint32_t>(i.names().code().places.size());
    i.names().code().places.push_back(std::move(places));
    i.emit(packs ? &pack : &unpack);
}

bool is_local(const Instruction& i, const ptx::Operand& operand) {
    return operand.kind == Kind::variable && i.names().variable(operand.index).space == ptx::Space::local;
}

/// A parameter of the kernel: its offset among them.
std::optional<std::uint32_t> kernel_parameter(const Instruction& i, const ptx::Operand& operand) {
    if (operand.kind != Kind::variable || i.names().variable(operand.index).space != ptx::Space::param ||
        i.names().passed(operand.index) != nullptr)
        return std::nullopt;
    return i.names().code().parameter_offsets.at(operand.index);
}

void decode_local_address(Instruction& i, const ptx::Operand& operand, std::uint64_t window) {
    const std::uint32_t bytes = i.held_bytes(i.operand(0));
    i.step.d = i.destination(0, bytes == 4 ? Type::b32 : Type::b64);
    i.step.immediate = static_cast<std::int64_t>(i.names().variable_offset(operand.index) +
                                                 static_cast<std::uint64_t>(operand.offset) + window);
    i.emit(bytes == 4 ? &local_address_32 : &local_address);
}

/// Value of an operand that stands for an address, in its own space.
Place address_source(Instruction& i, const ptx::Operand& operand, Type type) {
    if (const auto parameter = kernel_parameter(i, operand))
        return i.names().constant(*parameter + static_cast<std::uint64_t>(operand.offset), 0, ptx::bytes(type));
    return i.source(operand, type);
}

template <std::uint64_t window> std::uint64_t to_generic(std::uint64_t a) {
    return a + window;
}
template <std::uint64_t window> std::uint64_t from_generic(std::uint64_t a) {
    return a - window;
}

template <std::uint64_t window> void is_in_window(Warp& warp, const Step& step, Lanes lanes) {
    const auto* const a = warp.at<std::uint64_t>(step.a);
    Lanes inside = 0;
    each(lanes, [&](unsigned lane) { inside |= in_window(a[lane], window) ? Lanes{1} << lane : 0; });
    warp.set_predicate(step.d, inside, lanes);
}
void is_global(Warp& warp, const Step& step, Lanes lanes) {
    const auto* const a = warp.at<std::uint64_t>(step.a);
    Lanes inside = 0;
    each(lanes, [&](unsigned lane) {
        const bool other = in_window(a[lane], shared_window) || in_window(a[lane], local_window) ||
                           in_window(a[lane], parameter_window);
        inside |= other ? 0 : Lanes{1} << lane;
    });
    warp.set_predicate(step.d, inside, lanes);
}

} // namespace

void decode_mov(Instruction& i) {
    const Type type = i.type();
    if (i.size() != 2)
        i.unsupported();
    if (i.is(0, Kind::vector))
        return decode_vector_move(i, type, i.operand(0), false);
    const ptx::Operand& source = i.operand(1);
    if (source.kind == Kind::vector)
        return decode_vector_move(i, type, source, true);
    if (type == Type::pred) {
        i.step.d = i.predicate(i.operand(0));
        if (source.kind == Kind::integer) {
            i.step.immediate = static_cast<std::int64_t>(source.bits);
            return i.emit(&set_predicate);
        }
        i.step.a = i.predicate(source);
        return i.emit(&copy_predicate);
    }
    if (is_local(i, source))
        return decode_local_address(i, source, 0);
    i.step.d = i.destination(0, type);
    if (source.kind == Kind::special)
        if (const Handler clock = clock_named(source.name)) {
            const bool wide = source.name == "%clock64" || source.name == "%globaltimer";
            if (ptx::bytes(type) != (wide ? 8U : 4U))
                i.unsupported();
            return i.emit(clock);
        }
    i.step.a = address_source(i, source, type);
    i.emit(copy_of(ptx::bytes(type)));
}

void decode_cvta(Instruction& i) {
    const bool back = i.modifiers.take("to");
    const std::string_view space =
        i.modifiers.take_one({"global", "const", "shared", "shared::cta", "local", "param", "param::entry"});
    const Type type = i.type();
    if (i.size() != 2 || type != Type::u64)
        i.unsupported();
    if (is_local(i, i.operand(1)))
        return space == "local" && !back ? decode_local_address(i, i.operand(1), local_window) : i.unsupported();
    i.step.d = i.destination(0, type);
    i.step.a = address_source(i, i.operand(1), type);
    if (space == "global" || space == "const")
        return i.emit(copy_of(8));
    if (space == "shared" || space == "shared::cta")
        return i.emit(back ? elementwise<&from_generic<shared_window>>() : elementwise<&to_generic<shared_window>>());
    if (space == "local")
        return i.emit(back ? elementwise<&from_generic<local_window>>() : elementwise<&to_generic<local_window>>());
    if (space == "param" || space == "param::entry")
        return i.emit(back ? elementwise<&from_generic<parameter_window>>()
                           : elementwise<&to_generic<parameter_window>>());
    i.unsupported();
}

void decode_isspacep(Instruction& i) {
    const std::string_view space =
        i.modifiers.take_one({"global", "const", "shared", "shared::cta", "local", "param", "param::entry"});
    if (i.size() != 2)
        i.unsupported();
    i.step.d = i.predicate(i.operand(0));
    i.step.a = i.source(1, Type::u64);
    if (space == "global")
        i.emit(&is_global);
    else if (space == "shared" || space == "shared::cta")
        i.emit(&is_in_window<shared_window>);
    else if (space == "local")
        i.emit(&is_in_window<local_window>);
    else if (space == "param" || space == "param::entry")
        i.emit(&is_in_window<parameter_window>);
    else
        i.unsupported();
}

} // namespace cudabench::cpu
