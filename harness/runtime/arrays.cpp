#include "runtime/copy_3d.h"
#include "runtime/recording.h"
#include "runtime/texel.h"

#include <string>

/// Arrays: memory for textures and surfaces, whose layout only the device knows.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace {

cudaError_t make_array(cudaArray_t* handle, const cudaChannelFormatDesc* channels, cudaExtent extent, unsigned flags) {
    return answer([&](Recording& r) {
        const auto texel = channels ? texel_of(*channels) : std::nullopt;
        if (!handle || !texel || extent.width == 0)
            return r.refuse(cudaErrorInvalidValue, "an array of an impossible format or size");
        constexpr unsigned known =
            cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
        if ((flags & ~known) != 0)
            r.link.unsupported("cudaMalloc3DArray with flags " + std::to_string(flags));
        const recipe::AllocateArray operation{r.next_array, extent.width, extent.height, extent.depth, *texel, flags};
        std::uint64_t bytes = recipe::texel_bytes(*texel);
        for (const std::uint64_t size : {extent.width, extent.height, extent.depth})
            if (size > 1 && __builtin_mul_overflow(bytes, size, &bytes))
                bytes = ~std::uint64_t{0};
        if (r.arrays.size() >= r.hello.limits.allocations || bytes > r.hello.workspace.bytes)
            return r.refuse(cudaErrorMemoryAllocation, "an array of " + std::to_string(bytes) + " bytes");
        *handle = handle_of<cudaArray_t>(r.next_array);
        r.arrays[*handle] = {r.next_array++, *channels, *texel, extent, flags};
        r.link.operation(operation);
        return cudaSuccess;
    });
}

template <typename Use> cudaError_t with_array(cudaArray_const_t handle, Use&& use) {
    return answer([&](Recording& r) {
        const Array* array = find_array(r, handle);
        return array ? use(r, *array) : r.refuse(cudaErrorInvalidResourceHandle, "an array that does not exist");
    });
}

/// Does the copy that `make` returns for an array: now and waiting, or on a stream.
template <typename Make> cudaError_t copy_now(cudaArray_const_t handle, Make&& make) {
    return with_array(handle, [&](Recording& r, const Array& array) {
        Copy copy = make(array);
        copy.blocking = true;
        return perform(r, copy);
    });
}

template <typename Make> cudaError_t copy_on(cudaArray_const_t handle, cudaStream_t stream, Make&& make) {
    Copy copy;
    const auto error = with_array(handle, [&](Recording&, const Array& array) {
        copy = make(array);
        return cudaSuccess;
    });
    return error == cudaSuccess ? submit_on(stream, cudaGraphNodeTypeMemcpy, copy_later(copy)) : error;
}

auto rows_to(std::size_t x, std::size_t y, const void* from, std::size_t pitch, recipe::Region region,
             cudaMemcpyKind kind) {
    return [=](const Array& array) {
        return Copy{.destination = {recipe::InArray{array.id, x, y, 0}, 0},
                    .source = {from, pitch},
                    .region = region,
                    .kind = kind};
    };
}

auto rows_from(std::size_t x, std::size_t y, void* to, std::size_t pitch, recipe::Region region, cudaMemcpyKind kind) {
    return [=](const Array& array) {
        return Copy{.destination = {static_cast<const void*>(to), pitch},
                    .source = {recipe::InArray{array.id, x, y, 0}, 0},
                    .region = region,
                    .kind = kind};
    };
}

/// `bytes` packed ones as rows of an array, of which they must fill whole ones or lie in one.
recipe::Region packed(const Array& array, std::size_t bytes) {
    const std::uint64_t row = array.extent.width * recipe::texel_bytes(array.texel);
    return bytes <= row ? recipe::Region{bytes, 1} : recipe::Region{row, bytes / row};
}

} // namespace

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width, size_t height,
                            unsigned flags) {
    return make_array(array, channels, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, cudaExtent extent,
                              unsigned flags) {
    return make_array(array, channels, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    return answer([&](Recording& r) {
        if (!array)
            return cudaSuccess;
        return r.arrays.erase(array) == 1 ? cudaSuccess
                                          : r.refuse(cudaErrorInvalidValue, "cudaFreeArray of what is no array");
    });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
    return with_array(array, [&](Recording&, const Array& a) {
        *channels = a.channels;
        return cudaSuccess;
    });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
    return with_array(array, [&](Recording&, const Array& a) {
        if (channels)
            *channels = a.channels;
        if (extent)
            *extent = a.extent;
        if (flags)
            *flags = a.flags;
        return cudaSuccess;
    });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
    return copy_now(to, rows_to(x, y, from, pitch, {width, height}, kind));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_on(to, stream, rows_to(x, y, from, pitch, {width, height}, kind));
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
    return copy_now(from, rows_from(x, y, to, pitch, {width, height}, kind));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_on(from, stream, rows_from(x, y, to, pitch, {width, height}, kind));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return copy_now(to, [=](const Array& array) {
        const auto region = packed(array, bytes);
        return rows_to(x, y, from, region.row_bytes, region, kind)(array);
    });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_on(to, stream, [=](const Array& array) {
        const auto region = packed(array, bytes);
        return rows_to(x, y, from, region.row_bytes, region, kind)(array);
    });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    return copy_now(from, [=](const Array& array) {
        const auto region = packed(array, bytes);
        return rows_from(x, y, to, region.row_bytes, region, kind)(array);
    });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
    return with_array(to, [&](Recording& r, const Array& destination) {
        const Array* source = find_array(r, from);
        if (!source)
            return r.refuse(cudaErrorInvalidResourceHandle, "an array that does not exist");
        return perform(r, {.destination = {recipe::InArray{destination.id, to_x, to_y, 0}, 0},
                           .source = {recipe::InArray{source->id, from_x, from_y, 0}, 0},
                           .region = {width, height},
                           .kind = kind,
                           .blocking = true});
    });
}
