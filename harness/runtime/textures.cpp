#include "runtime/copy_3d.h"
#include "runtime/recording.h"
#include "runtime/texel.h"

#include <bit>

/// Texture and surface objects. The executor makes them while host code is recorded: their handles go to kernels.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

/// The resource of a texture; the kind is looked at by the caller.
cudaError_t set_resource(Recording& r, const cudaResourceDesc& resource, recipe::CreateTexture& question) {
    using Resource = recipe::CreateTexture::Resource;
    const auto set_memory = [&](Resource kind, const void* pointer, const cudaChannelFormatDesc& channels) {
        const auto texel = texel_of(channels);
        question.resource = kind;
        question.address = reinterpret_cast<recipe::Address>(pointer);
        question.texel = texel.value_or(recipe::Texel{});
        return texel && r.memory.find(question.address)
                   ? cudaSuccess
                   : r.refuse(cudaErrorInvalidValue, "a texture of memory that is not the device's, or of no format");
    };
    switch (resource.resType) {
    case cudaResourceTypeArray: {
        const Array* array = find_array(r, resource.res.array.array);
        if (!array)
            return r.refuse(cudaErrorInvalidValue, "a texture of an array that does not exist");
        question.array = array->id;
        question.texel = array->texel;
        return cudaSuccess;
    }
    case cudaResourceTypeLinear: {
        const auto& linear = resource.res.linear;
        const auto error = set_memory(Resource::linear, linear.devPtr, linear.desc);
        question.width = error == cudaSuccess ? linear.sizeInBytes / recipe::texel_bytes(question.texel) : 0;
        return error;
    }
    case cudaResourceTypePitch2D: {
        const auto& rows = resource.res.pitch2D;
        question.width = rows.width;
        question.height = rows.height;
        question.pitch = rows.pitchInBytes;
        return set_memory(Resource::rows, rows.devPtr, rows.desc);
    }
    default: r.link.unsupported("textures of mipmapped arrays");
    }
}

void set_sampling(const cudaTextureDesc& texture, recipe::CreateTexture& question) {
    for (std::size_t i = 0; i < question.address_modes.size(); ++i)
        question.address_modes[i] = texture.addressMode[i];
    question.filter_mode = texture.filterMode;
    const bool integers = question.texel.format != CU_AD_FORMAT_FLOAT && question.texel.format != CU_AD_FORMAT_HALF;
    question.flags = (integers && texture.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0U) |
                     (texture.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0U) |
                     (texture.sRGB != 0 ? CU_TRSF_SRGB : 0U) |
                     (texture.disableTrilinearOptimization != 0 ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0U) |
                     (texture.seamlessCubemap != 0 ? CU_TRSF_SEAMLESS_CUBEMAP : 0U);
    question.max_anisotropy = texture.maxAnisotropy;
    for (std::size_t i = 0; i < question.border.size(); ++i)
        question.border[i] = std::bit_cast<std::uint32_t>(texture.borderColor[i]);
}

cudaError_t make_object(Recording& r, unsigned long long* object, const cudaResourceDesc& resource,
                        const cudaTextureDesc* texture) {
    recipe::CreateTexture question;
    question.texture = r.next_texture;
    question.surface = texture == nullptr;
    if (const auto error = set_resource(r, resource, question); error != cudaSuccess)
        return error;
    if (texture)
        set_sampling(*texture, question);
    ++r.next_texture;
    const auto handle = r.ask_number(question);
    if (!handle)
        return r.refuse(cudaErrorInvalidValue, "a texture or surface object that the device refuses");
    *object = *handle;
    r.textures[*handle] = {resource, texture ? *texture : cudaTextureDesc{}};
    return cudaSuccess;
}

cudaError_t forget_object(unsigned long long object) {
    return answer([&](Recording& r) {
        return object == 0 || r.textures.erase(object) == 1
                   ? cudaSuccess
                   : r.refuse(cudaErrorInvalidValue, "destruction of a texture object that does not exist");
    });
}

} // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
    return answer([&](Recording& r) {
        if (!object || !resource || !texture)
            return cudaErrorInvalidValue;
        if (view && view->format != cudaResViewFormatNone)
            r.link.unsupported("cudaCreateTextureObject with a resource view");
        return make_object(r, object, *resource, texture);
    });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return forget_object(object);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    return answer([&](Recording& r) {
        if (!object || !resource || resource->resType != cudaResourceTypeArray)
            return cudaErrorInvalidValue;
        return make_object(r, object, *resource, nullptr);
    });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return forget_object(object);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
    return answer([&](Recording& r) {
        const auto found = r.textures.find(object);
        if (!resource || found == r.textures.end())
            return cudaErrorInvalidValue;
        *resource = found->second.resource;
        return cudaSuccess;
    });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
    return answer([&](Recording& r) {
        const auto found = r.textures.find(object);
        if (!texture || found == r.textures.end())
            return cudaErrorInvalidValue;
        *texture = found->second.texture;
        return cudaSuccess;
    });
}
