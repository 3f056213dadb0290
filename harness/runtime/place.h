#pragma once

#include "recipe/operation.h"

#include <variant>

namespace cudabench::runtime {

/// The place `row` rows and `column` bytes after `place`, where rows are `pitch` bytes apart.
[[nodiscard]] inline recipe::Place moved(recipe::Place place, std::uint64_t pitch, std::uint64_t row,
                                         std::uint64_t column) {
    if (auto* symbol = std::get_if<recipe::Symbol>(&place)) {
        symbol->offset += row * pitch + column;
    } else if (auto* in = std::get_if<recipe::InArray>(&place)) {
        in->x += column;
        in->y += row;
    } else {
        std::get<recipe::Address>(place) += row * pitch + column;
    }
    return place;
}

} // namespace cudabench::runtime
