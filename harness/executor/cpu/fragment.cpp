#include "executor/cpu/fragment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace cudabench::cpu {
namespace {

constexpr auto names = std::to_array<std::pair<std::string_view, Element>>({{"f16", Element::f16},
                                                                            {"bf16", Element::bf16},
                                                                            {"tf32", Element::tf32},
                                                                            {"f32", Element::f32},
                                                                            {"f64", Element::f64},
                                                                            {"e4m3", Element::e4m3},
                                                                            {"e5m2", Element::e5m2},
                                                                            {"s8", Element::s8},
                                                                            {"u8", Element::u8},
                                                                            {"s4", Element::s4},
                                                                            {"u4", Element::u4},
                                                                            {"b1", Element::b1},
                                                                            {"s32", Element::s32}});

/// Part of a fragment: a tile at (row, column) of the matrix, whose place in it `at(group, thread, register, element)`
/// tells.
template <typename At>
void add_tile(Fragment& fragment, std::uint32_t registers, std::uint32_t row, std::uint32_t column, bool transposed,
              At at) {
    for (std::uint32_t r = 0; r < registers; ++r)
        for (std::uint32_t e = 0; e < fragment.per_register(); ++e)
            for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
                auto [i, j] = at(lane / 4, lane % 4, r, e);
                if (transposed)
                    std::swap(i, j);
                fragment.positions.push_back(static_cast<std::uint16_t>((row + i) * fragment.columns + column + j));
            }
}

using Position = std::pair<std::uint32_t, std::uint32_t>;

/// rows x k, 8 or 16 rows.
void add_a(Fragment& f, std::uint32_t rows, std::uint32_t k, std::uint32_t row, std::uint32_t column, bool transposed) {
    const std::uint32_t each = f.per_register();
    const std::uint32_t halves = rows / 8; // of registers that follow each other
    add_tile(f, rows * k / warp_size / each, row, column, transposed,
             [=](std::uint32_t group, std::uint32_t thread, std::uint32_t r, std::uint32_t e) {
                 return Position{group + 8 * (r % halves), (r / halves * 4 + thread) * each + e};
             });
}

/// k x 8.
void add_b(Fragment& f, std::uint32_t k, std::uint32_t row, std::uint32_t column, bool transposed) {
    const std::uint32_t each = f.per_register();
    add_tile(f, k * 8 / warp_size / each, row, column, transposed,
             [=](std::uint32_t group, std::uint32_t thread, std::uint32_t r, std::uint32_t e) {
                 return Position{(r * 4 + thread) * each + e, group};
             });
}

/// rows x 8: pairs of neighbours, in one register or in two.
void add_c(Fragment& f, std::uint32_t rows, std::uint32_t row, std::uint32_t column, bool transposed) {
    const std::uint32_t each = f.per_register();
    add_tile(f, rows * 8 / warp_size / each, row, column, transposed,
             [=](std::uint32_t group, std::uint32_t thread, std::uint32_t r, std::uint32_t e) {
                 const std::uint32_t i = r * each + e;
                 return Position{group + 8 * (i / 2), thread * 2 + i % 2};
             });
}

Fragment empty_fragment(Role role, const MatrixShape& shape, Element element) {
    Fragment fragment;
    fragment.element = element;
    fragment.rows = role == Role::b ? shape.k : shape.m;
    fragment.columns = role == Role::a ? shape.k : shape.n;
    return fragment;
}

} // namespace

std::optional<Element> element_named(std::string_view name) {
    const auto* const found = std::ranges::find(names, name, &std::pair<std::string_view, Element>::first);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t bits(Element element) {
    switch (element) {
    case Element::f16:
    case Element::bf16: return 16;
    case Element::f64: return 64;
    case Element::e4m3:
    case Element::e5m2:
    case Element::s8:
    case Element::u8: return 8;
    case Element::s4:
    case Element::u4: return 4;
    case Element::b1: return 1;
    default: return 32;
    }
}

bool is_whole(Element element) {
    return element >= Element::s8;
}

std::optional<MatrixShape> shape_named(std::string_view name) {
    MatrixShape shape;
    const char* at = name.data();
    const char* const end = at + name.size();
    for (const auto& [letter, size] : {std::pair{'m', &shape.m}, std::pair{'n', &shape.n}, std::pair{'k', &shape.k}}) {
        if (at == end || *at != letter)
            return std::nullopt;
        const auto [rest, error] = std::from_chars(at + 1, end, *size);
        if (error != std::errc() || *size == 0 || *size > 256)
            return std::nullopt;
        at = rest;
    }
    return at == end ? std::optional(shape) : std::nullopt;
}

Fragment mma_fragment(Role role, const MatrixShape& shape, Element element) {
    Fragment fragment = empty_fragment(role, shape, element);
    if (role == Role::a)
        add_a(fragment, shape.m, shape.k, 0, 0, false);
    else if (role == Role::b)
        add_b(fragment, shape.k, 0, 0, false);
    else
        add_c(fragment, shape.m, 0, 0, false);
    return fragment;
}

Fragment wmma_fragment(Role role, const MatrixShape& shape, Element element, std::size_t registers) {
    Fragment f = empty_fragment(role, shape, element);
    // m8n32k16 is computed transposed, with a and b in each other's part.
    const bool transposed = shape.m == 8 && shape.n > 8;
    const std::uint32_t rows = transposed ? shape.n : shape.m;
    const std::uint32_t columns = transposed ? shape.m : shape.n;
    const std::uint32_t tile = std::min<std::uint32_t>(rows, 16);
    const auto place = [&](std::uint32_t i, std::uint32_t j) { return transposed ? Position{j, i} : Position{i, j}; };
    if (role == Role::c) {
        for (std::uint32_t i = 0; i < rows; i += tile)
            for (std::uint32_t j = 0; j < columns; j += 8)
                add_c(f, tile, place(i, j).first, place(i, j).second, transposed);
    } else if ((role == Role::a) != transposed) {
        for (std::uint32_t i = 0; i < rows; i += tile)
            add_a(f, tile, shape.k, place(i, 0).first, place(i, 0).second, transposed);
    } else {
        for (std::uint32_t j = 0; j < columns; j += 8)
            add_b(f, shape.k, place(0, j).first, place(0, j).second, transposed);
    }
    const std::size_t once = f.positions.size();
    const std::size_t wanted = registers * f.per_register() * warp_size;
    while (once != 0 && f.positions.size() < wanted)
        f.positions.push_back(f.positions[f.positions.size() - once]);
    return f;
}

} // namespace cudabench::cpu
