#pragma once

#include "driver/owned.h"
#include "executor/gpu/device.h"
#include "recipe/operation.h"

#include <map>
#include <memory>
#include <optional>

namespace cudabench::gpu {

/// The arrays of a recipe, and its texture and surface objects. They stay from one performance of the recipe to the
/// next, since handles lie among the arguments of its kernels. Functions throw driver::DriverError, and
/// std::logic_error for what validation should have refused.
class Textures {
public:
    explicit Textures(const Device& device) : device_(device) {}

    /// Makes the array, unless there is the same one.
    void allocate(const recipe::AllocateArray& array);
    [[nodiscard]] CUarray array(recipe::ArrayId array) const;

    /// The handle of the object that `wanted` describes, made now unless there is the same one.
    std::uint64_t create(const recipe::CreateTexture& wanted);

    /// Destroys everything. The device must be idle.
    void clear();

private:
    using Array = driver::Owned<CUarray, &driver::Driver::cuArrayDestroy>;
    using Texture = driver::Owned<CUtexObject, &driver::Driver::cuTexObjectDestroy>;
    using Surface = driver::Owned<CUsurfObject, &driver::Driver::cuSurfObjectDestroy>;
    struct HeldArray {
        recipe::AllocateArray description;
        Array array;
    };
    struct Object {
        recipe::CreateTexture description; ///< without handle
        Texture texture;
        Surface surface;
    };

    [[nodiscard]] CUDA_RESOURCE_DESC resource_of(const recipe::CreateTexture& wanted) const;
    [[nodiscard]] Object make(const recipe::CreateTexture& wanted) const;

    const Device& device_;
    std::map<recipe::ArrayId, HeldArray> arrays_;
    std::map<recipe::TextureId, Object> objects_;
};

} // namespace cudabench::gpu
