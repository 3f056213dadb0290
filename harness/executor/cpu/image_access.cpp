#include "executor/cpu/image_access.h"

#include "executor/cpu/fault.h"
#include "executor/cpu/grid.h"

#include <bit>
#include <string_view>

namespace cudabench::cpu {
namespace {

using Kind = ptx::Operand::Kind;

/// Whether an instruction of that many coordinates is meant for this image.
bool fits(const ImageAccess& access, const Image& image) {
    if (access.layered != image.layered)
        return false;
    const bool flat = image.layered || image.depth == 0;
    switch (access.coordinates.size()) {
    case 1: return image.height == 0 && flat;
    case 2: return image.height != 0 && flat;
    default: return image.height != 0 && image.depth != 0;
    }
}

} // namespace

ImageAccess take_image_access(Instruction& i, const ptx::Operand& operand, ptx::Type type) {
    const std::string_view geometry = i.modifiers.take_one({"1d", "2d", "3d", "a1d", "a2d"});
    if (geometry.empty() || operand.kind != Kind::address || operand.parts.size() != 2 || operand.offset != 0 ||
        operand.parts[1].kind != Kind::vector)
        i.unsupported();
    ImageAccess access;
    access.layered = geometry.front() == 'a';
    const auto dimensions = static_cast<std::size_t>(geometry[geometry.size() - 2] - '0');
    const std::vector<ptx::Operand>& parts = operand.parts[1].parts;
    const std::size_t used = dimensions + (access.layered ? 1 : 0);
    if (parts.size() != std::bit_ceil(used))
        i.unsupported();
    access.object = i.source(operand.parts[0], ptx::Type::u64);
    if (access.layered)
        access.layer = i.source(parts[0], ptx::Type::u32);
    for (std::size_t c = used - dimensions; c < used; ++c)
        access.coordinates.push_back(i.source(parts[c], type));
    return access;
}

void encode_image_access(Instruction& i, ImageAccess access) {
    std::vector<ImageAccess>& all = i.names().code().image_accesses;
    i.step.target = static_cast<std::uint32_t>(all.size());
    all.push_back(std::move(access));
}

void each_object(Warp& warp, const ImageAccess& access, bool surface, Lanes lanes,
                 const std::function<void(const ImageObject&, Lanes)>& work) {
    const auto* const handles = warp.at<std::uint64_t>(access.object);
    const Images* const images = warp.grid().images;
    while (lanes != 0) {
        const unsigned leader = first(lanes);
        Lanes same = 0;
        each(lanes, [&](unsigned lane) { same |= handles[lane] == handles[leader] ? Lanes{1} << lane : 0; });
        const ImageObject* const object = images == nullptr ? nullptr : images->object(handles[leader]);
        if (object == nullptr || object->how.surface != surface)
            throw Fault(surface ? "access of a surface that does not exist" : "access of a texture that does not exist",
                        leader);
        if (!fits(access, object->image))
            throw Fault("access of a texture or surface as if it had another shape", leader);
        work(*object, same);
        lanes &= ~same;
    }
}

} // namespace cudabench::cpu
