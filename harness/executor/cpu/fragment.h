#pragma once

#include "executor/cpu/step.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cudabench::cpu {

/// What the elements of a matrix of mma and wmma are.
enum class Element : std::uint8_t { f16, bf16, tf32, f32, f64, e4m3, e5m2, s8, u8, s4, u4, b1, s32 };

[[nodiscard]] std::optional<Element> element_named(std::string_view name);
/// In a register.
[[nodiscard]] std::uint32_t bits(Element element);
[[nodiscard]] bool is_whole(Element element); ///< s8 to s32

/// A matrix whose elements are spread over registers of the lanes of a warp.
struct Fragment {
    Element element = Element::f32;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    /// Of element e of register r in lane l: row x columns + column, at (r x elements a register + e) x 32 + l.
    std::vector<std::uint16_t> positions;
    std::vector<Place> registers; ///< as many as the layout needs

    [[nodiscard]] std::uint32_t register_bytes() const { return element == Element::f64 ? 8 : 4; }
    [[nodiscard]] std::uint32_t per_register() const { return 8 * register_bytes() / bits(element); }
    [[nodiscard]] std::size_t needed_registers() const { return positions.size() / warp_size / per_register(); }
};

/// The shape of a product: (m x k) (k x n) + (m x n).
struct MatrixShape {
    std::uint32_t m = 0;
    std::uint32_t n = 0;
    std::uint32_t k = 0;
    bool operator==(const MatrixShape&) const = default;
};
/// "m16n8k16"
[[nodiscard]] std::optional<MatrixShape> shape_named(std::string_view name);

enum class Role : std::uint8_t { a, b, c };

/// Without registers. mma: PTX ISA, "Matrix Fragments for mma". m is 8 or 16, n is 8.
[[nodiscard]] Fragment mma_fragment(Role role, const MatrixShape& shape, Element element);
/// wmma: PTX leaves the layout open. This is that of the mma of which hardware makes it; `registers` as many as wmma
/// takes, elements that remain are copies.
[[nodiscard]] Fragment wmma_fragment(Role role, const MatrixShape& shape, Element element, std::size_t registers);

} // namespace cudabench::cpu
