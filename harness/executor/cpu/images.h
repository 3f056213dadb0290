#pragma once

#include "executor/cpu/memory.h"
#include "outcome/expected.h"
#include "outcome/failure.h"
#include "recipe/operation.h"

#include <cstdint>
#include <map>

namespace cudabench::cpu {

/// Elements in rows and slices of device memory, as textures and surfaces see them.
struct Image {
    Address address = 0;
    std::uint64_t width = 0;  ///< elements
    std::uint64_t height = 0; ///< 0: one-dimensional
    std::uint64_t depth = 0;  ///< slices or layers; 0: none
    std::uint64_t pitch = 0;  ///< bytes from row to row
    recipe::Texel texel;
    bool layered = false;

    [[nodiscard]] std::uint64_t rows() const { return height == 0 ? 1 : height; }
    [[nodiscard]] std::uint64_t slice() const { return pitch * rows(); } ///< bytes
};

/// What a handle stands for.
struct ImageObject {
    Image image;
    recipe::CreateTexture how;
};

/// The arrays of a recipe, and its texture and surface objects. What an array holds lies in rows and slices without
/// gaps in a piece of device memory of its own, where nothing else points to.
class Images {
public:
    explicit Images(Memory& memory) : memory_(memory) {}

    /// Throws std::bad_alloc.
    void allocate(const recipe::AllocateArray& wanted, std::uint32_t poison);
    /// Throws std::out_of_range if there is no such array.
    [[nodiscard]] const Image& array(recipe::ArrayId array) const;
    [[nodiscard]] Address address(const recipe::InArray& position) const;

    /// The handle of the object that `wanted` describes: the same for the same recipe. Failures: stage launch, what a
    /// GPU refuses too; stage not_run, what only a GPU has.
    Expected<std::uint64_t, Failure> create(const recipe::CreateTexture& wanted);
    /// Null if a handle stands for nothing.
    [[nodiscard]] const ImageObject* object(std::uint64_t handle) const;

private:
    [[nodiscard]] Image image_of(const recipe::CreateTexture& wanted) const;

    Memory& memory_;
    std::map<recipe::ArrayId, Image> arrays_;
    std::map<std::uint64_t, ImageObject> objects_; ///< by handle
    Address next_ = 0;                             ///< from the start of the window
};

} // namespace cudabench::cpu
