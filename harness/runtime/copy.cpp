#include "runtime/copy.h"

#include "recipe/validate.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace cudabench::runtime {

namespace {

using recipe::Place;
using recipe::Region;

/// Where an end of a copy is, once that is settled.
struct Located {
    std::optional<Place> device; ///< else the host's
    std::byte* host = nullptr;
    std::uint64_t pitch = 0;
};

Place moved(Place place, std::uint64_t bytes) {
    if (auto* symbol = std::get_if<recipe::Symbol>(&place))
        symbol->offset += bytes;
    else
        std::get<recipe::Address>(place) += bytes;
    return place;
}

/// Calls `part(row, column, region)` for pieces of at most recipe::max_copy_bytes.
template <typename Part> cudaError_t for_each_part(Region region, Part&& part) {
    const std::uint64_t columns = std::min(region.row_bytes, recipe::max_copy_bytes);
    const std::uint64_t rows = columns < region.row_bytes ? 1 : recipe::max_copy_bytes / columns;
    for (std::uint64_t row = 0; row < region.rows; row += rows)
        for (std::uint64_t column = 0; column < region.row_bytes; column += columns) {
            const Region piece{std::min(columns, region.row_bytes - column), std::min(rows, region.rows - row)};
            if (const auto error = part(row, column, piece); error != cudaSuccess)
                return error;
        }
    return cudaSuccess;
}

void copy_rows(std::byte* to, std::uint64_t to_pitch, const std::byte* from, std::uint64_t from_pitch, Region region) {
    for (std::uint64_t row = 0; row < region.rows; ++row)
        std::memmove(to + row * to_pitch, from + row * from_pitch, region.row_bytes);
}

cudaError_t to_device(Recording& r, const Copy& copy, const Located& to, const Located& from) {
    const auto error = for_each_part(copy.region, [&](std::uint64_t row, std::uint64_t column, Region piece) {
        recipe::CopyToDevice operation{.stream = copy.stream,
                                       .destination = moved(*to.device, row * to.pitch + column),
                                       .pitch = to.pitch,
                                       .region = piece,
                                       .data = std::vector<std::byte>(piece.row_bytes * piece.rows)};
        copy_rows(operation.data.data(), piece.row_bytes, from.host + row * from.pitch + column, from.pitch, piece);
        r.link.operation(operation);
        return cudaSuccess;
    });
    if (copy.blocking)
        r.link.operation(recipe::Synchronize{recipe::Synchronize::Scope::stream, copy.stream});
    return error;
}

cudaError_t to_host(Recording& r, const Copy& copy, const Located& to, const Located& from) {
    return for_each_part(copy.region, [&](std::uint64_t row, std::uint64_t column, Region piece) {
        const recipe::CopyToHost question{copy.stream, moved(*from.device, row * from.pitch + column), from.pitch,
                                          piece};
        const auto answer = r.link.ask(question);
        if (answer.error != 0)
            return r.refuse(static_cast<cudaError_t>(answer.error), "the work before a copy to the host failed");
        if (answer.bytes.size() != piece.row_bytes * piece.rows)
            return r.refuse(cudaErrorUnknown, "the executor answered a copy with a wrong number of bytes");
        copy_rows(to.host + row * to.pitch + column, to.pitch, answer.bytes.data(), piece.row_bytes, piece);
        return cudaSuccess;
    });
}

bool is_on_device(const Recording& r, const End& end) {
    const auto* address = std::get_if<const void*>(&end.where);
    return !address || r.memory.contains(reinterpret_cast<recipe::Address>(*address));
}

/// The place of one end; nothing, with a note, if it is not where the copy's kind says or not wholly in live memory.
std::optional<Located> locate(Recording& r, const End& end, Region region, bool on_device, bool written) {
    const auto* address = std::get_if<const void*>(&end.where);
    if (!address)
        return Located{Place(std::get<recipe::Symbol>(end.where)), nullptr, end.pitch};
    if (on_device) {
        auto place = device_place(r, *address, end.pitch, region, written);
        return place ? std::optional(Located{std::move(*place), nullptr, end.pitch}) : std::nullopt;
    }
    if (r.memory.contains(reinterpret_cast<recipe::Address>(*address))) {
        r.link.note("a copy takes an address of the device for one of the host");
        return std::nullopt;
    }
    return Located{std::nullopt, static_cast<std::byte*>(const_cast<void*>(*address)), end.pitch};
}

} // namespace

std::optional<recipe::Place> device_place(Recording& r, const void* pointer, std::uint64_t pitch, Region region,
                                          bool written) {
    const std::uint64_t bytes = recipe::touched_bytes(pitch, region);
    const auto piece = r.memory.find(reinterpret_cast<recipe::Address>(pointer));
    if (!piece || bytes == 0 || bytes > piece->bytes_after) {
        r.link.note("a copy or fill of " + std::to_string(bytes) + " bytes " +
                    (piece ? "where " + std::to_string(piece->bytes_after) + " are left of an allocation"
                           : "at an address where nothing is allocated"));
        return std::nullopt;
    }
    if (written && !piece->writable) {
        r.link.note("a copy or fill writes to an input");
        return std::nullopt;
    }
    return piece->place;
}

cudaError_t perform(Recording& r, const Copy& copy) {
    const Region region = copy.region;
    if (region.row_bytes == 0 || region.rows == 0)
        return cudaSuccess;
    if (region.rows > 1 && (copy.destination.pitch < region.row_bytes || copy.source.pitch < region.row_bytes))
        return r.refuse(cudaErrorInvalidPitchValue, "a pitch smaller than a row");
    if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault)
        return r.refuse(cudaErrorInvalidMemcpyDirection, "an unknown kind of copy");
    const bool by_address = copy.kind == cudaMemcpyDefault;
    const bool to_is_device = by_address ? is_on_device(r, copy.destination)
                                         : copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
    const bool from_is_device = by_address
                                    ? is_on_device(r, copy.source)
                                    : copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
    const auto to = locate(r, copy.destination, region, to_is_device, true);
    const auto from = to ? locate(r, copy.source, region, from_is_device, false) : std::nullopt;
    if (!from)
        return cudaErrorInvalidValue;
    if (to->device && from->device)
        r.link.operation(recipe::CopyOnDevice{copy.stream, *to->device, *from->device, to->pitch, from->pitch, region});
    else if (to->device)
        return to_device(r, copy, *to, *from);
    else if (from->device)
        return to_host(r, copy, *to, *from);
    else
        copy_rows(to->host, to->pitch, from->host, from->pitch, region);
    return cudaSuccess;
}

} // namespace cudabench::runtime
