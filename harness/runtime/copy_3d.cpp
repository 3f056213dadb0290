#include "runtime/copy_3d.h"

#include "recipe/operation.h"

#include <string>

namespace cudabench::runtime {

namespace {

/// One side of a three-dimensional copy.
struct Side {
    End first;
    std::uint64_t slice_pitch = 0; ///< bytes; 0 in an array
};

std::optional<Side> side(const Recording& r, cudaArray_const_t array, const cudaPos& at, const cudaPitchedPtr& memory) {
    if (array) {
        const Array* known = find_array(r, array);
        if (!known)
            return std::nullopt;
        return Side{{recipe::InArray{known->id, at.x * recipe::texel_bytes(known->texel), at.y, at.z}, 0}, 0};
    }
    const std::uint64_t slice = memory.pitch * memory.ysize;
    const auto* start = static_cast<const std::byte*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x;
    return Side{{static_cast<const void*>(start), memory.pitch}, slice};
}

End slice_of(const Side& side, std::uint64_t number) {
    End end = side.first;
    if (auto* in = std::get_if<recipe::InArray>(&end.where))
        in->z += number;
    else
        end.where = static_cast<const void*>(static_cast<const std::byte*>(std::get<const void*>(end.where)) +
                                             number * side.slice_pitch);
    return end;
}

} // namespace

Work copy_later(Copy copy) {
    return [copy](Recording& r, recipe::StreamId stream) mutable {
        copy.stream = stream;
        return perform(r, copy);
    };
}

cudaError_t perform_3d(Recording& r, const cudaMemcpy3DParms& p, recipe::StreamId stream, bool blocking) {
    const auto to = side(r, p.dstArray, p.dstPos, p.dstPtr);
    const auto from = side(r, p.srcArray, p.srcPos, p.srcPtr);
    if (!to || !from)
        return r.refuse(cudaErrorInvalidValue, "a copy of an array that does not exist");
    // With an array the width counts its elements, without one bytes.
    const Array* array = find_array(r, p.dstArray ? p.dstArray : p.srcArray);
    const std::uint64_t width = p.extent.width * (array ? recipe::texel_bytes(array->texel) : 1);
    recipe::Region region{width, p.extent.height};
    std::uint64_t slices = p.extent.depth;
    const bool follow = !array && to->slice_pitch == to->first.pitch * p.extent.height &&
                        from->slice_pitch == from->first.pitch * p.extent.height;
    if (follow) {
        region.rows *= slices;
        slices = slices == 0 ? 0 : 1;
    }
    for (std::uint64_t slice = 0; slice < slices; ++slice) {
        const auto error = perform(r, {.destination = slice_of(*to, slice),
                                       .source = slice_of(*from, slice),
                                       .region = region,
                                       .kind = p.kind,
                                       .stream = stream,
                                       .blocking = blocking});
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t fill_elements(Recording& r, recipe::StreamId stream, const cudaMemsetParams& p) {
    const unsigned low = p.value & 0xff;
    const bool uniform = p.elementSize == 1 || (p.elementSize == 2 && (p.value & 0xffff) == low * 0x101U) ||
                         (p.elementSize == 4 && p.value == low * 0x1010101U);
    if (!uniform)
        r.link.unsupported("a memset node whose elements are not of equal bytes");
    return fill(r, stream, p.dst, p.pitch, static_cast<int>(low), {p.width * p.elementSize, p.height});
}

const Array* find_array(const Recording& r, cudaArray_const_t handle) {
    const auto found = r.arrays.find(handle);
    return found == r.arrays.end() ? nullptr : &found->second;
}

} // namespace cudabench::runtime

// The functions of the CUDA runtime.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* params) {
    return answer([&](Recording& r) { return params ? perform_3d(r, *params, 0, true) : cudaErrorInvalidValue; });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    return submit_on(stream, cudaGraphNodeTypeMemcpy,
                     [p = *params](Recording& r, recipe::StreamId id) { return perform_3d(r, p, id, false); });
}
