#include "recipe/validate.h"
#include "runtime/copy_3d.h"

#include <string>

/// Copies, fills, and the variables of the device code.

using namespace cudabench::runtime;
namespace recipe = cudabench::recipe;

namespace cudabench::runtime {

cudaError_t fill(Recording& r, recipe::StreamId stream, void* address, std::size_t pitch, int value,
                 recipe::Region region) {
    if (region.row_bytes == 0 || region.rows == 0)
        return cudaSuccess;
    const auto place = device_place(r, address, pitch, region, true);
    if (!place)
        return cudaErrorInvalidValue;
    const auto at = reinterpret_cast<recipe::Address>(address);
    r.shared.give_to_kernels(at);
    r.device_operation(recipe::Fill{stream, *place, pitch, region, static_cast<std::uint8_t>(value)});
    r.shared.written(at, recipe::touched_bytes(pitch, region));
    return cudaSuccess;
}

} // namespace cudabench::runtime

namespace {

constexpr recipe::StreamId legacy_stream = 0;

Work fill_later(void* address, std::size_t pitch, int value, recipe::Region region) {
    return [=](Recording& r, recipe::StreamId stream) { return fill(r, stream, address, pitch, value, region); };
}

Copy plain_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return {.destination = {to, bytes}, .source = {from, bytes}, .region = {bytes, 1}, .kind = kind};
}

Copy pitched_copy(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, recipe::Region region,
                  cudaMemcpyKind kind) {
    return {.destination = {to, to_pitch}, .source = {from, from_pitch}, .region = region, .kind = kind};
}

cudaError_t blocking(Copy copy) {
    return answer([&](Recording& r) {
        copy.stream = legacy_stream;
        copy.blocking = true;
        return perform(r, copy);
    });
}

cudaError_t on_stream(cudaStream_t stream, const Copy& copy) {
    return submit_on(stream, cudaGraphNodeTypeMemcpy, copy_later(copy));
}

/// A variable's bytes, if the copy stays inside it; the error else.
cudaError_t find_variable(Recording& r, const void* host_variable, std::size_t bytes, std::size_t offset,
                          recipe::Symbol& symbol) {
    const auto* variable = r.modules.variable(host_variable);
    if (!variable)
        return r.refuse(cudaErrorInvalidSymbol, "a variable that is not registered");
    if (offset > variable->bytes || bytes > variable->bytes - offset)
        return r.refuse(cudaErrorInvalidValue, "a copy of " + std::to_string(bytes) + " bytes at " +
                                                   std::to_string(offset) + " of variable " + variable->name + " of " +
                                                   std::to_string(variable->bytes));
    symbol = {variable->name, offset};
    return cudaSuccess;
}

cudaError_t to_variable(Recording& r, const void* host_variable, std::size_t offset, Copy copy) {
    recipe::Symbol symbol;
    if (copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyHostToHost)
        return r.refuse(cudaErrorInvalidMemcpyDirection, "a copy to a variable that goes to the host");
    if (const auto error = find_variable(r, host_variable, copy.region.row_bytes, offset, symbol); error != cudaSuccess)
        return error;
    copy.destination.where = symbol;
    return perform(r, copy);
}

cudaError_t from_variable(Recording& r, const void* host_variable, std::size_t offset, Copy copy) {
    recipe::Symbol symbol;
    if (copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyHostToHost)
        return r.refuse(cudaErrorInvalidMemcpyDirection, "a copy from a variable that comes from the host");
    if (const auto error = find_variable(r, host_variable, copy.region.row_bytes, offset, symbol); error != cudaSuccess)
        return error;
    copy.source.where = symbol;
    return perform(r, copy);
}

} // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return blocking(plain_copy(to, from, bytes, kind));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return on_stream(stream, plain_copy(to, from, bytes, kind));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
    return blocking(pitched_copy(to, to_pitch, from, from_pitch, {width, height}, kind));
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return on_stream(stream, pitched_copy(to, to_pitch, from, from_pitch, {width, height}, kind));
}

cudaError_t cudaMemset(void* address, int value, size_t bytes) {
    return answer([&](Recording& r) { return fill(r, legacy_stream, address, bytes, value, {bytes, 1}); });
}

cudaError_t cudaMemsetAsync(void* address, int value, size_t bytes, cudaStream_t stream) {
    return submit_on(stream, cudaGraphNodeTypeMemset, fill_later(address, bytes, value, {bytes, 1}));
}

cudaError_t cudaMemset2D(void* address, size_t pitch, int value, size_t width, size_t height) {
    return answer([&](Recording& r) { return fill(r, legacy_stream, address, pitch, value, {width, height}); });
}

cudaError_t cudaMemset2DAsync(void* address, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return submit_on(stream, cudaGraphNodeTypeMemset, fill_later(address, pitch, value, {width, height}));
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return cudaMemset3DAsync(to, value, extent, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
    const bool contiguous = to.ysize == extent.height || extent.depth <= 1;
    const recipe::Region slices{extent.width, contiguous ? extent.height * extent.depth : extent.height};
    for (std::size_t slice = 0; slice < (contiguous ? 1 : extent.depth); ++slice) {
        auto* const at = static_cast<std::byte*>(to.ptr) + slice * to.ysize * to.pitch;
        const auto error = submit_on(stream, cudaGraphNodeTypeMemset, fill_later(at, to.pitch, value, slices));
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* variable, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
    return answer([&](Recording& r) {
        Copy copy = plain_copy(nullptr, from, bytes, kind);
        copy.blocking = true;
        return to_variable(r, variable, offset, copy);
    });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* variable, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
    return submit_on(stream, cudaGraphNodeTypeMemcpy, [=](Recording& r, recipe::StreamId id) {
        Copy copy = plain_copy(nullptr, from, bytes, kind);
        copy.stream = id;
        return to_variable(r, variable, offset, copy);
    });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* variable, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return answer([&](Recording& r) {
        Copy copy = plain_copy(to, nullptr, bytes, kind);
        copy.blocking = true;
        return from_variable(r, variable, offset, copy);
    });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* variable, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
    return submit_on(stream, cudaGraphNodeTypeMemcpy, [=](Recording& r, recipe::StreamId id) {
        Copy copy = plain_copy(to, nullptr, bytes, kind);
        copy.stream = id;
        return from_variable(r, variable, offset, copy);
    });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* host_variable) {
    return answer([&](Recording& r) {
        const auto* variable = r.modules.variable(host_variable);
        if (!bytes || !variable)
            return r.refuse(cudaErrorInvalidSymbol, "the size of a variable that is not registered");
        *bytes = variable->bytes;
        return cudaSuccess;
    });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* host_variable) {
    return answer([&](Recording& r) {
        const auto* variable = r.modules.variable(host_variable);
        if (!pointer || !variable)
            return r.refuse(cudaErrorInvalidSymbol, "the address of a variable that is not registered");
        const auto address = r.ask_number(recipe::SymbolAddress{variable->name});
        if (!address)
            return r.refuse(cudaErrorInvalidSymbol, "the address of variable " + variable->name);
        r.memory.add_variable(*address, variable->name, variable->bytes);
        *pointer = reinterpret_cast<void*>(*address); // NOLINT(performance-no-int-to-ptr): never dereferenced
        return cudaSuccess;
    });
}
