#include "executor/gpu/textures.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace cudabench::gpu {

void Textures::allocate(const recipe::AllocateArray& wanted) {
    const auto known = arrays_.find(wanted.array);
    if (known != arrays_.end() && known->second.description == wanted)
        return;
    CUDA_ARRAY3D_DESCRIPTOR description{};
    description.Width = wanted.width;
    description.Height = wanted.height;
    description.Depth = wanted.depth;
    description.Format = static_cast<CUarray_format>(wanted.texel.format);
    description.NumChannels = wanted.texel.channels;
    description.Flags = wanted.flags;
    CUarray array = nullptr;
    device_.driver().cuArray3DCreate(&array, &description);
    arrays_.insert_or_assign(wanted.array, HeldArray{wanted, Array(device_.driver(), array)});
}

CUarray Textures::array(recipe::ArrayId array) const {
    const auto found = arrays_.find(array);
    if (found == arrays_.end())
        throw std::logic_error(fmt::format("a recipe uses array {} before it makes it", array));
    return found->second.array.get();
}

CUDA_RESOURCE_DESC Textures::resource_of(const recipe::CreateTexture& wanted) const {
    using Resource = recipe::CreateTexture::Resource;
    CUDA_RESOURCE_DESC resource{};
    if (wanted.surface || wanted.resource == Resource::array) {
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array(wanted.array);
    } else if (wanted.resource == Resource::linear) {
        resource.resType = CU_RESOURCE_TYPE_LINEAR;
        auto& linear = resource.res.linear;
        linear.devPtr = wanted.address;
        linear.format = static_cast<CUarray_format>(wanted.texel.format);
        linear.numChannels = wanted.texel.channels;
        linear.sizeInBytes = wanted.width * recipe::texel_bytes(wanted.texel);
    } else {
        resource.resType = CU_RESOURCE_TYPE_PITCH2D;
        auto& rows = resource.res.pitch2D;
        rows.devPtr = wanted.address;
        rows.format = static_cast<CUarray_format>(wanted.texel.format);
        rows.numChannels = wanted.texel.channels;
        rows.width = wanted.width;
        rows.height = wanted.height;
        rows.pitchInBytes = wanted.pitch;
    }
    return resource;
}

Textures::Object Textures::make(const recipe::CreateTexture& wanted) const {
    const driver::Driver& driver = device_.driver();
    const CUDA_RESOURCE_DESC resource = resource_of(wanted);
    if (wanted.surface) {
        CUsurfObject surface = 0;
        driver.cuSurfObjectCreate(&surface, &resource);
        return {wanted, {}, {driver, surface}};
    }
    CUDA_TEXTURE_DESC description{};
    for (std::size_t i = 0; i < wanted.address_modes.size(); ++i)
        description.addressMode[i] = static_cast<CUaddress_mode>(wanted.address_modes[i]);
    description.filterMode = static_cast<CUfilter_mode>(wanted.filter_mode);
    description.flags = wanted.flags;
    description.maxAnisotropy = wanted.max_anisotropy;
    for (std::size_t i = 0; i < wanted.border.size(); ++i)
        description.borderColor[i] = std::bit_cast<float>(wanted.border[i]);
    CUtexObject texture = 0;
    driver.cuTexObjectCreate(&texture, &resource, &description, nullptr);
    return {wanted, {driver, texture}, {}};
}

std::uint64_t Textures::create(const recipe::CreateTexture& wanted) {
    recipe::CreateTexture description = wanted;
    description.handle = 0;
    auto known = objects_.find(wanted.texture);
    if (known == objects_.end() || known->second.description != description)
        known = objects_.insert_or_assign(wanted.texture, make(description)).first;
    const Object& object = known->second;
    const std::uint64_t handle = wanted.surface ? object.surface.get() : object.texture.get();
    // The kernels' arguments hold the handle that was answered while the recipe was recorded.
    if (wanted.handle != 0 && wanted.handle != handle)
        throw std::logic_error("a texture object has another handle than when its recipe was recorded");
    return handle;
}

void Textures::clear() {
    objects_.clear();
    arrays_.clear();
}

} // namespace cudabench::gpu
