#include "executor/cpu/access.h"
#include "executor/cpu/alu.h"
#include "executor/cpu/image_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

/// suld.b, sust.b: PTX section "Surface Instructions". x counts bytes.
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;
using Beyond = ImageAccess::Beyond;
using Value = std::array<std::byte, 16>;

/// A coordinate within `most`; nothing: there is nothing to access.
std::optional<std::uint64_t> within(std::int64_t coordinate, std::int64_t most, Beyond beyond, unsigned lane) {
    if (coordinate >= 0 && coordinate <= most)
        return static_cast<std::uint64_t>(coordinate);
    switch (beyond) {
    case Beyond::nearest: return static_cast<std::uint64_t>(std::clamp<std::int64_t>(coordinate, 0, most));
    case Beyond::zero: return std::nullopt;
    case Beyond::fault: break;
    }
    throw Fault(fmt::format("illegal memory access: beyond a surface, at {} of at most {}", coordinate, most), lane);
}

std::optional<Address> address(const Warp& warp, const ImageAccess& access, const Image& image, unsigned lane,
                               std::uint32_t bytes) {
    const auto coordinate = [&](Place place) { return std::int64_t{warp.at<std::int32_t>(place)[lane]}; };
    const auto last = [](std::uint64_t size) { return static_cast<std::int64_t>(size) - 1; };
    const std::uint64_t row = image.width * recipe::texel_bytes(image.texel);
    if (row < bytes)
        throw Fault("illegal memory access: of more bytes than a surface has in a row", lane);
    const auto x = within(coordinate(access.coordinates[0]), static_cast<std::int64_t>((row - bytes) / bytes * bytes),
                          access.beyond, lane);
    std::array<std::optional<std::uint64_t>, 2> outer = {0, 0}; // row and slice
    if (access.coordinates.size() > 1)
        outer[0] = within(coordinate(access.coordinates[1]), last(image.rows()), access.beyond, lane);
    if (access.layered)
        outer[1] = within(coordinate(access.layer), last(image.depth), access.beyond, lane);
    else if (access.coordinates.size() > 2)
        outer[1] = within(coordinate(access.coordinates[2]), last(image.depth), access.beyond, lane);
    if (!x || !outer[0] || !outer[1])
        return std::nullopt;
    return image.address + *outer[1] * image.slice() + *outer[0] * image.pitch + *x;
}

/// Calls `work(lane, bytes in memory)` with the lanes whose element exists.
template <typename Work> void each_element(Warp& warp, const ImageAccess& access, Lanes lanes, Access kind, Work work) {
    const auto bytes = static_cast<std::uint32_t>(access.value_bytes * access.values.size());
    each_object(warp, access, true, lanes, [&](const ImageObject& object, Lanes some) {
        Addresses addresses{};
        Lanes inside = 0;
        each(some, [&](unsigned lane) {
            if (const auto found = address(warp, access, object.image, lane, bytes)) {
                inside |= Lanes{1} << lane;
                addresses[lane] = *found;
            }
        });
        if (inside != 0)
            with_located(warp, Where::global, addresses, inside, bytes, kind, [&](Lanes located, Located where) {
                each(located, [&](unsigned lane) { work(lane, where.at(addresses[lane], lane)); });
            });
    });
}

std::byte* held(const Warp& warp, const ImageAccess& access, std::size_t value, unsigned lane) {
    const std::size_t bytes = std::max<std::size_t>(access.value_bytes, 2); // bytes are held in 16 bits
    return warp.at<std::byte>(access.values[value]) + lane * bytes;
}

void load(Warp& warp, const Step& step, Lanes lanes) {
    const ImageAccess& access = warp.code().image_accesses[step.target];
    std::array<Value, warp_size> loaded{};
    const std::size_t bytes = access.value_bytes;
    each_element(warp, access, lanes, Access::read, [&](unsigned lane, const std::byte* from) {
        std::memcpy(loaded[lane].data(), from, bytes * access.values.size());
    });
    each(lanes, [&](unsigned lane) {
        for (std::size_t v = 0; v < access.values.size(); ++v) {
            std::byte* const to = held(warp, access, v, lane);
            std::memset(to, 0, std::max<std::size_t>(bytes, 2));
            std::memcpy(to, loaded[lane].data() + v * bytes, bytes);
        }
    });
}

void store(Warp& warp, const Step& step, Lanes lanes) {
    const ImageAccess& access = warp.code().image_accesses[step.target];
    const std::size_t bytes = access.value_bytes;
    each_element(warp, access, lanes, Access::write, [&](unsigned lane, std::byte* to) {
        for (std::size_t v = 0; v < access.values.size(); ++v)
            std::memcpy(to + v * bytes, held(warp, access, v, lane), bytes);
    });
}

Beyond take_beyond(Instruction& i) {
    const std::string_view word = i.modifiers.take_one({"trap", "clamp", "zero"});
    if (word == "clamp")
        return Beyond::nearest;
    return word == "zero" ? Beyond::zero : Beyond::fault;
}

void decode_surface(Instruction& i, const ptx::Operand& surface, const ptx::Operand& values, bool loads) {
    if (i.size() != 2 || !i.modifiers.take("b"))
        i.unsupported();
    i.modifiers.take_one({"ca", "cg", "cs", "cv", "wb", "wt"});
    i.modifiers.take_one({"v2", "v4"});
    const Beyond beyond = take_beyond(i);
    const Type type = i.type();
    ImageAccess access = take_image_access(i, surface, Type::b32);
    access.beyond = beyond;
    access.value_bytes = ptx::bytes(type);
    for (const ptx::Operand& value : values.kind == Kind::vector ? values.parts : std::vector{values})
        access.values.push_back(loads ? i.destination(value, type) : i.source(value, type));
    const std::size_t bytes = access.value_bytes * access.values.size();
    if ((type != Type::b8 && type != Type::b16 && type != Type::b32 && type != Type::b64) || bytes > sizeof(Value) ||
        (access.values.size() & (access.values.size() - 1)) != 0)
        i.unsupported();
    encode_image_access(i, std::move(access));
    i.emit(loads ? &load : &store);
}

} // namespace

void decode_suld(Instruction& i) {
    decode_surface(i, i.operand(1), i.operand(0), true);
}

void decode_sust(Instruction& i) {
    decode_surface(i, i.operand(0), i.operand(1), false);
}

} // namespace cudabench::cpu
