#pragma once

#include "executor/cpu/images.h"
#include "executor/cpu/instruction.h"
#include "executor/cpu/warp.h"

#include <cstdint>
#include <functional>

/// What instructions on textures and on surfaces have in common.
namespace cudabench::cpu {

/// The geometry among the modifiers and the operand [object, {coordinates}]: a vector that is padded to a power of two.
/// The coordinates are registers of `type`. Cube maps are unsupported.
[[nodiscard]] ImageAccess take_image_access(Instruction& instruction, const ptx::Operand& operand, ptx::Type type);

/// Notes the access in the code, and in the step's `target` where.
void encode_image_access(Instruction& instruction, ImageAccess access);

/// Calls `work` with each object that lanes name, and those lanes. Throws Fault where a handle stands for nothing, for
/// a surface instead of a texture or the other way round, or for another geometry.
void each_object(Warp& warp, const ImageAccess& access, bool surface, Lanes lanes,
                 const std::function<void(const ImageObject&, Lanes)>& work);

} // namespace cudabench::cpu
