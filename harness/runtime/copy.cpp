#include "runtime/copy.h"

#include "recipe/validate.h"
#include "runtime/place.h"

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
                                       .destination = moved(*to.device, to.pitch, row, column),
                                       .pitch = to.pitch,
                                       .region = piece,
                                       .data = std::vector<std::byte>(piece.row_bytes * piece.rows)};
        copy_rows(operation.data.data(), piece.row_bytes, from.host + row * from.pitch + column, from.pitch, piece);
        r.device_operation(operation);
        return cudaSuccess;
    });
    if (copy.blocking)
        r.link.operation(recipe::Synchronize{recipe::Synchronize::Scope::stream, copy.stream});
    return error;
}

cudaError_t to_host(Recording& r, const Copy& copy, const Located& to, const Located& from) {
    return for_each_part(copy.region, [&](std::uint64_t row, std::uint64_t column, Region piece) {
        const recipe::CopyToHost question{copy.stream, moved(*from.device, from.pitch, row, column), from.pitch, piece};
        r.shared.push();
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
    if (!address)
        return true;
    const auto* shared = r.shared.kind_at(reinterpret_cast<recipe::Address>(*address));
    return shared ? *shared == SharedMemory::Kind::managed
                  : r.memory.contains(reinterpret_cast<recipe::Address>(*address));
}

/// Shared memory is where it is, whatever the copy's kind says.
bool is_shared(const Recording& r, const End& end) {
    const auto* address = std::get_if<const void*>(&end.where);
    return address && r.shared.kind_at(reinterpret_cast<recipe::Address>(*address));
}

/// What the device writes in shared memory is no longer what host code sees.
void give_to_device(Recording& r, const Located& to, Region region) {
    if (const auto* address = std::get_if<recipe::Address>(&*to.device))
        r.shared.written(*address, recipe::touched_bytes(to.pitch, region));
}

/// The place of one end; nothing, with a note, if it is not where the copy's kind says or not wholly in live memory.
std::optional<Located> locate(Recording& r, const End& end, Region region, bool on_device, bool written) {
    const auto* address = std::get_if<const void*>(&end.where);
    if (const auto* symbol = std::get_if<recipe::Symbol>(&end.where))
        return Located{Place(*symbol), nullptr, end.pitch};
    if (const auto* in = std::get_if<recipe::InArray>(&end.where))
        return Located{Place(*in), nullptr, end.pitch};
    if (on_device) {
        auto place = device_place(r, *address, end.pitch, region, written);
        return place ? std::optional(Located{std::move(*place), nullptr, end.pitch}) : std::nullopt;
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
    const auto too_narrow = [&](const End& end) {
        return !std::holds_alternative<recipe::InArray>(end.where) && end.pitch < region.row_bytes;
    };
    if (region.rows > 1 && (too_narrow(copy.destination) || too_narrow(copy.source)))
        return r.refuse(cudaErrorInvalidPitchValue, "a pitch smaller than a row");
    if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault)
        return r.refuse(cudaErrorInvalidMemcpyDirection, "an unknown kind of copy");
    // With unified addressing an address of the device is taken for one, whatever the kind says.
    const auto on_device = [&](const End& end, cudaMemcpyKind other_way) {
        const bool wanted = copy.kind == other_way || copy.kind == cudaMemcpyDeviceToDevice;
        return is_on_device(r, end) || (wanted && copy.kind != cudaMemcpyDefault && !is_shared(r, end));
    };
    const bool to_is_device = on_device(copy.destination, cudaMemcpyHostToDevice);
    const bool from_is_device = on_device(copy.source, cudaMemcpyDeviceToHost);
    const auto to = locate(r, copy.destination, region, to_is_device, true);
    const auto from = to ? locate(r, copy.source, region, from_is_device, false) : std::nullopt;
    if (!from)
        return cudaErrorInvalidValue;
    if (to->device && from->device) {
        r.device_operation(
            recipe::CopyOnDevice{copy.stream, *to->device, *from->device, to->pitch, from->pitch, region});
        give_to_device(r, *to, region);
    } else if (to->device) {
        const auto error = to_device(r, copy, *to, *from);
        give_to_device(r, *to, region);
        return error;
    } else if (from->device) {
        return to_host(r, copy, *to, *from);
    } else {
        copy_rows(to->host, to->pitch, from->host, from->pitch, region);
    }
    return cudaSuccess;
}

} // namespace cudabench::runtime
