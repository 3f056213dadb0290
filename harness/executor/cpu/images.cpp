#include "executor/cpu/images.h"

#include "executor/cpu/windows.h"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace cudabench::cpu {
namespace {

using recipe::CreateTexture;

// CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT and _TEXTURE_PITCH_ALIGNMENT of every GPU so far.
constexpr std::uint64_t address_alignment = 512;
constexpr std::uint64_t pitch_alignment = 32;
constexpr std::uint64_t gap = std::uint64_t{1} << 20; ///< between two arrays
constexpr std::uint64_t handle_distance = 16;

bool has_integers(recipe::Texel texel) {
    return texel.format != CU_AD_FORMAT_FLOAT && texel.format != CU_AD_FORMAT_HALF;
}

bool is_wide(recipe::Texel texel) {
    return texel.format == CU_AD_FORMAT_UNSIGNED_INT32 || texel.format == CU_AD_FORMAT_SIGNED_INT32;
}

std::optional<Failure> refusal(const CreateTexture& wanted, const Image& image) {
    const auto refused = [](const char* what) { return Failure{Stage::launch, fmt::format("a texture {}", what)}; };
    const auto needs_gpu = [](const char* what) {
        return Failure{Stage::not_run, fmt::format("needs a GPU: the CPU executor has no {}", what)};
    };
    const bool linear = wanted.filter_mode == CU_TR_FILTER_MODE_LINEAR;
    const bool integers = has_integers(image.texel);
    const bool as_integers = (wanted.flags & CU_TRSF_READ_AS_INTEGER) != 0;
    if (wanted.resource != CreateTexture::Resource::array && wanted.address % address_alignment != 0)
        return refused("of memory at an address that is no multiple of 512 bytes");
    if (wanted.resource == CreateTexture::Resource::rows && wanted.pitch % pitch_alignment != 0)
        return refused("of rows whose pitch is no multiple of 32 bytes");
    if (integers && linear && as_integers)
        return refused("of integers with a linear filter");
    if (integers && !as_integers && is_wide(image.texel))
        return refused("of 32-bit integers that are read as fractions");
    if ((wanted.flags & CU_TRSF_SRGB) != 0)
        return needs_gpu("sRGB textures");
    if (integers && std::ranges::any_of(wanted.border, [](std::uint32_t bits) { return bits != 0; }))
        return needs_gpu("border colours of integers other than 0");
    return std::nullopt;
}

} // namespace

void Images::allocate(const recipe::AllocateArray& wanted, std::uint32_t poison) {
    Image image;
    image.address = images_window + next_;
    image.width = wanted.width;
    image.height = wanted.height;
    image.depth = wanted.depth;
    image.pitch = wanted.width * recipe::texel_bytes(wanted.texel);
    image.texel = wanted.texel;
    image.layered = (wanted.flags & CUDA_ARRAY3D_LAYERED) != 0;
    const std::uint64_t bytes = image.slice() * std::max<std::uint64_t>(image.depth, 1);
    memory_.map(image.address, bytes, true, fmt::format("array {}", wanted.array), poison, Contents::undefined);
    next_ += (bytes + 2 * gap - 1) / gap * gap;
    arrays_[wanted.array] = image;
}

const Image& Images::array(recipe::ArrayId array) const {
    const auto found = arrays_.find(array);
    if (found == arrays_.end())
        throw std::out_of_range(fmt::format("there is no array {}", array));
    return found->second;
}

Address Images::address(const recipe::InArray& position) const {
    const Image& image = array(position.array);
    return image.address + position.z * image.slice() + position.y * image.pitch + position.x;
}

Image Images::image_of(const CreateTexture& wanted) const {
    if (wanted.surface || wanted.resource == CreateTexture::Resource::array)
        return array(wanted.array);
    Image image;
    image.address = wanted.address;
    image.width = wanted.width;
    image.texel = wanted.texel;
    image.pitch = wanted.width * recipe::texel_bytes(wanted.texel);
    if (wanted.resource == CreateTexture::Resource::rows) {
        image.height = wanted.height;
        image.pitch = wanted.pitch;
    }
    return image;
}

Expected<std::uint64_t, Failure> Images::create(const CreateTexture& wanted) {
    const Image image = image_of(wanted);
    if (!wanted.surface)
        if (const auto refused = refusal(wanted, image))
            return *refused;
    const std::uint64_t handle = image_handles + handle_distance * wanted.texture;
    objects_[handle] = {image, wanted};
    return handle;
}

const ImageObject* Images::object(std::uint64_t handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : &found->second;
}

} // namespace cudabench::cpu
