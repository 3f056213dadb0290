#include "executor/cpu/access.h"
#include "executor/cpu/alu.h"
#include "executor/cpu/elementwise.h"
#include "executor/cpu/float_rules.h"
#include "executor/cpu/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

/// mma and wmma: PTX section "Warp Level Matrix Multiply-Accumulate Instructions". Floating-point sums are taken in
/// double and rounded once, to the type of the result; hardware keeps at least that type's precision on the way. Sums
/// of f64 are chains of fused multiply-adds.
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

constexpr std::size_t most_factors = std::size_t{16} * 256; ///< elements of a matrix of bits
constexpr std::size_t most_numbers = 512;                   ///< of the others
constexpr std::size_t most_sums = 256;

/// An element by its bits, as a number that a double or an int holds exactly.
double floating(Element element, std::uint64_t bits) {
    switch (element) {
    case Element::f16: return widen<Half>(static_cast<std::uint16_t>(bits));
    case Element::bf16: return widen<Brain>(static_cast<std::uint16_t>(bits));
    // The lower bits of a tf32 are ignored.
    case Element::tf32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits) & 0xFFFF'E000U);
    case Element::f64: return std::bit_cast<double>(bits);
    case Element::e5m2: return widen<Half>(static_cast<std::uint16_t>(bits << 8));
    case Element::e4m3: {
        const auto magnitude = static_cast<std::uint32_t>(bits & 0x7F);
        if (magnitude == 0x7F)
            return std::numeric_limits<double>::quiet_NaN();
        const int exponent = static_cast<int>(magnitude >> 3);
        const double value =
            exponent == 0 ? (magnitude & 7) * 0x1p-9 : (8 + (magnitude & 7)) * std::ldexp(1.0, exponent - 10);
        return (bits & 0x80) != 0 ? -value : value;
    }
    default: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    }
}

std::int32_t whole(Element element, std::uint32_t bits) {
    switch (element) {
    case Element::s8: return static_cast<std::int8_t>(bits);
    case Element::s4: return static_cast<std::int32_t>(bits << 28) >> 28;
    default: return static_cast<std::int32_t>(bits);
    }
}

template <typename Register, typename T, typename Convert>
void unpack(Warp& warp, const Fragment& fragment, T* matrix, Convert convert) {
    const std::uint32_t size = bits(fragment.element);
    const std::uint32_t each = fragment.per_register();
    const Register mask = static_cast<Register>(~Register{0} >> (8 * sizeof(Register) - size));
    const std::uint16_t* position = fragment.positions.data();
    for (const Place place : fragment.registers) {
        const auto* const lanes = warp.at<Register>(place);
        for (std::uint32_t e = 0; e < each; ++e)
            for (unsigned lane = 0; lane < warp_size; ++lane)
                matrix[*position++] = convert(static_cast<Register>((lanes[lane] >> (e * size)) & mask));
    }
}

void unpack(Warp& warp, const Fragment& fragment, double* matrix) {
    const auto with = [&]<Element element, typename Register>() {
        unpack<Register>(warp, fragment, matrix, [](Register value) { return floating(element, value); });
    };
    switch (fragment.element) {
    case Element::f16: return with.template operator()<Element::f16, std::uint32_t>();
    case Element::bf16: return with.template operator()<Element::bf16, std::uint32_t>();
    case Element::tf32: return with.template operator()<Element::tf32, std::uint32_t>();
    case Element::e4m3: return with.template operator()<Element::e4m3, std::uint32_t>();
    case Element::e5m2: return with.template operator()<Element::e5m2, std::uint32_t>();
    case Element::f64: return with.template operator()<Element::f64, std::uint64_t>();
    default: return with.template operator()<Element::f32, std::uint32_t>();
    }
}

void unpack(Warp& warp, const Fragment& fragment, std::int32_t* matrix) {
    unpack<std::uint32_t>(warp, fragment, matrix,
                          [element = fragment.element](std::uint32_t value) { return whole(element, value); });
}

template <typename Register, typename T, typename Convert>
void pack(Warp& warp, const Fragment& fragment, const T* matrix, Lanes lanes, Convert convert) {
    const std::uint32_t size = bits(fragment.element);
    const std::uint32_t each_register = fragment.per_register();
    for (std::size_t r = 0; r < fragment.registers.size(); ++r) {
        auto* const to = warp.at<Register>(fragment.registers[r]);
        const std::uint16_t* const position = fragment.positions.data() + r * each_register * warp_size;
        each(lanes, [&](unsigned lane) {
            Register value = 0;
            for (std::uint32_t e = 0; e < each_register; ++e)
                value |= static_cast<Register>(Register{convert(matrix[position[e * warp_size + lane]])} << (e * size));
            to[lane] = value;
        });
    }
}

void pack(Warp& warp, const Fragment& fragment, const double* matrix, Lanes lanes) {
    if (fragment.element == Element::f16)
        pack<std::uint32_t>(warp, fragment, matrix, lanes, [](double x) -> std::uint32_t { return narrow<Half>(x); });
    else if (fragment.element == Element::f64)
        pack<std::uint64_t>(warp, fragment, matrix, lanes, [](double x) { return std::bit_cast<std::uint64_t>(x); });
    else
        pack<std::uint32_t>(warp, fragment, matrix, lanes,
                            [](double x) { return std::bit_cast<std::uint32_t>(canonical(static_cast<float>(x))); });
}

/// sum += a b, row after row.
template <typename T, typename Sum, typename Add>
[[gnu::always_inline]] inline void multiply(const MatrixSite& site, const T* a, const T* b, Sum* sum, Add add) {
    const std::uint32_t n = site.b.columns;
    const std::uint32_t depth = site.a.columns;
    for (std::uint32_t i = 0; i < site.a.rows; ++i)
        for (std::uint32_t k = 0; k < depth; ++k) {
            const T factor = a[i * depth + k];
            for (std::uint32_t j = 0; j < n; ++j)
                sum[i * n + j] = add(sum[i * n + j], factor, b[k * n + j]);
        }
}

struct MultiplyFloating {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const MatrixSite& site = warp.code().matrices[step.target];
        std::array<double, most_numbers> a;
        std::array<double, most_numbers> b;
        std::array<double, most_sums> sum;
        unpack(warp, site.a, a.data());
        unpack(warp, site.b, b.data());
        unpack(warp, site.c, sum.data());
        if (site.d.element == Element::f64)
            multiply(site, a.data(), b.data(), sum.data(),
                     [](double s, double x, double y) { return __builtin_fma(x, y, s); });
        else
            multiply(site, a.data(), b.data(), sum.data(), [](double s, double x, double y) { return s + x * y; });
        pack(warp, site.d, sum.data(), lanes);
    }
};

struct MultiplyWhole {
    static void run(Warp& warp, const Step& step, Lanes lanes) {
        const MatrixSite& site = warp.code().matrices[step.target];
        std::array<std::int32_t, most_factors> a;
        std::array<std::int32_t, most_factors> b;
        std::array<std::int32_t, most_sums> before;
        std::array<std::int64_t, most_sums> sum{};
        unpack(warp, site.a, a.data());
        unpack(warp, site.b, b.data());
        unpack(warp, site.c, before.data());
        std::ranges::copy(before, sum.begin());
        if (site.differences)
            multiply(site, a.data(), b.data(), sum.data(),
                     [](std::int64_t s, std::int32_t x, std::int32_t y) { return s + (x ^ y); });
        else
            multiply(site, a.data(), b.data(), sum.data(), [](std::int64_t s, std::int32_t x, std::int32_t y) {
                return s + static_cast<std::int64_t>(x * y);
            });
        using Limits = std::numeric_limits<std::int32_t>;
        if (site.saturate)
            for (std::int64_t& x : sum)
                x = std::clamp<std::int64_t>(x, Limits::min(), Limits::max());
        pack<std::uint32_t>(warp, site.d, sum.data(), lanes,
                            [](std::int64_t x) { return static_cast<std::uint32_t>(x); });
    }
};

void take_registers(Instruction& i, std::size_t operand, Fragment& fragment, bool written) {
    const ptx::Operand& vector = i.operand(operand);
    const Type type = fragment.element == Element::f64 ? Type::b64 : Type::b32;
    const std::vector<ptx::Operand> elements = vector.kind == Kind::vector ? vector.parts : std::vector{vector};
    for (const ptx::Operand& element : elements)
        fragment.registers.push_back(written ? i.destination(element, type) : i.source(element, type));
    if (fragment.registers.size() != fragment.needed_registers())
        i.unsupported();
}

Element take_element(Instruction& i) {
    const auto element = element_named(i.modifiers.take_first());
    if (!element)
        i.unsupported();
    return *element;
}

MatrixShape take_shape(Instruction& i) {
    const auto shape = shape_named(i.modifiers.take_first());
    if (!shape)
        i.unsupported();
    return *shape;
}

void take_together(Instruction& i) {
    if (!i.modifiers.take("sync") || !i.modifiers.take("aligned"))
        i.unsupported();
    i.step.e = i.names().constant(all_lanes, 0, 4);
    i.step.control = Control::collective;
}

/// Whether factors of these types can be multiplied and summed so.
bool sensible(Element a, Element b, Element c, Element d) {
    if (is_whole(a))
        return c == Element::s32 && d == Element::s32 && a != Element::s32 && bits(a) == bits(b) && is_whole(b);
    if (a == Element::f64 || b == Element::f64)
        return a == b && c == a && d == a;
    if (a == Element::f32 || b == Element::f32 || bits(a) != bits(b) || (bits(a) != 8 && a != b))
        return false;
    const auto sum = [&](Element e) {
        return e == Element::f32 || (e == Element::f16 && (a == Element::f16 || bits(a) == 8));
    };
    return sum(c) && sum(d);
}

void emit_product(Instruction& i, MatrixSite site) {
    if (i.size() != 4 || !sensible(site.a.element, site.b.element, site.c.element, site.d.element))
        i.unsupported();
    take_registers(i, 0, site.d, true);
    take_registers(i, 1, site.a, false);
    take_registers(i, 2, site.b, false);
    take_registers(i, 3, site.c, false);
    const bool integers = is_whole(site.a.element);
    i.step.target = static_cast<std::uint32_t>(i.names().code().matrices.size());
    i.names().code().matrices.push_back(std::move(site));
    i.emit(integers ? handler<MultiplyWhole>() : handler<MultiplyFloating>());
}

/// Shapes of mma by the bits of the factors: k x bits is one or two times 128, m8 for one.
bool mma_exists(const MatrixShape& shape, Element factor) {
    const std::uint32_t row_bits = shape.k * bits(factor);
    if (shape.n != 8)
        return false;
    if (factor == Element::f64)
        return shape == MatrixShape{8, 8, 4} || (shape.m == 16 && (shape.k == 4 || shape.k == 8 || shape.k == 16));
    if (shape.m == 8)
        return row_bits == 128 && is_whole(factor);
    return shape.m == 16 && (row_bits == 128 || row_bits == 256) &&
           !(bits(factor) == 8 && !is_whole(factor) && row_bits == 128);
}

bool wmma_exists(const MatrixShape& shape, Element factor) {
    if (factor == Element::f64)
        return shape == MatrixShape{8, 8, 4};
    if (factor == Element::tf32)
        return shape == MatrixShape{16, 16, 8};
    const bool common =
        factor == Element::f16 || factor == Element::bf16 || factor == Element::s8 || factor == Element::u8;
    return common &&
           (shape == MatrixShape{16, 16, 16} || shape == MatrixShape{8, 32, 16} || shape == MatrixShape{32, 8, 16});
}

/// Registers that wmma takes for a matrix: of f16 factors there are copies.
std::size_t wmma_registers(Role role, Element element) {
    return role != Role::c && element == Element::f16 ? 8 : 0;
}

/// wmma.load and wmma.store. a, immediate, ...: address of the first element; c: elements from a row or column to the
/// next.
struct MatrixAccessStep {
    template <bool loads> static void run(Warp& warp, const Step& step, Lanes lanes) {
        const auto& [fragment, by_rows] = warp.code().matrix_accesses[step.target];
        const Addresses base = addresses_of(warp, step, lanes);
        const auto* const stride = warp.at<std::uint32_t>(step.c);
        const std::uint32_t size = bits(fragment.element);
        const std::uint32_t bytes = size / 8;
        const std::uint32_t register_bytes = fragment.register_bytes();
        const std::uint32_t per_register = fragment.per_register();
        const auto where = static_cast<Where>(step.space);
        const std::uint16_t* position = fragment.positions.data();
        for (const Place place : fragment.registers) {
            for (std::uint32_t e = 0; e < per_register; ++e, position += warp_size) {
                Addresses addresses;
                for (unsigned lane = 0; lane < warp_size; ++lane) {
                    const std::uint64_t row = position[lane] / fragment.columns;
                    const std::uint64_t column = position[lane] % fragment.columns;
                    addresses[lane] =
                        base[lane] + bytes * (by_rows ? row * stride[lane] + column : column * stride[lane] + row);
                }
                std::byte* const registers = warp.at<std::byte>(place);
                with_located(warp, where, addresses, lanes, bytes, loads ? Access::read : Access::write,
                             [&](Lanes some, Located located) {
                                 each(some, [&](unsigned lane) {
                                     std::byte* const held =
                                         registers + std::size_t{lane} * register_bytes + std::size_t{e} * bytes;
                                     std::byte* const there = located.at(addresses[lane], lane);
                                     std::memcpy(loads ? held : there, loads ? there : held, bytes);
                                 });
                             });
            }
        }
    }
};

void decode_matrix_access(Instruction& i, bool loads) {
    const std::string_view role_name = i.modifiers.take_first();
    take_together(i);
    const std::string_view layout = i.modifiers.take_first();
    const Where where = take_where(i);
    const MatrixShape shape = take_shape(i);
    const Element element = take_element(i);
    const Role role = role_name == "a" ? Role::a : role_name == "b" ? Role::b : Role::c;
    if ((layout != "row" && layout != "col") || (role == Role::c && role_name != (loads ? "c" : "d")))
        i.unsupported();
    const bool sums = element == Element::f32 || element == Element::s32 || element == Element::f64;
    if (role != Role::c ? !wmma_exists(shape, element) : !sums && element != Element::f16)
        i.unsupported();
    if (role == Role::c && !wmma_exists(shape, element == Element::f64 ? Element::f64 : Element::f16) &&
        (element != Element::f32 || !wmma_exists(shape, Element::tf32)))
        i.unsupported();
    const std::size_t registers = loads ? 0 : 1;
    const std::size_t address = loads ? 1 : 0;
    if (i.size() < 2 || i.size() > 3)
        i.unsupported();
    MatrixAccess access{wmma_fragment(role, shape, element, wmma_registers(role, element)), layout == "row"};
    take_registers(i, registers, access.fragment, loads);
    encode_address(i, i.operand(address));
    i.step.space = static_cast<std::uint8_t>(where);
    i.step.c = i.size() == 3
                   ? i.source(2, Type::u32)
                   : i.names().constant(access.by_rows ? access.fragment.columns : access.fragment.rows, 0, 4);
    i.step.target = static_cast<std::uint32_t>(i.names().code().matrix_accesses.size());
    i.names().code().matrix_accesses.push_back(std::move(access));
    i.emit(loads ? &MatrixAccessStep::run<true> : &MatrixAccessStep::run<false>);
}

} // namespace

void decode_mma(Instruction& i) {
    take_together(i);
    const MatrixShape shape = take_shape(i);
    if (i.modifiers.take_first() != "row" || i.modifiers.take_first() != "col")
        i.unsupported();
    MatrixSite site;
    site.saturate = i.modifiers.take("satfinite");
    i.modifiers.take("rn");
    const Element d = take_element(i);
    const Element a = take_element(i);
    const Element b = take_element(i);
    const Element c = take_element(i);
    if (a == Element::b1) {
        site.differences = i.modifiers.take_one({"xor", "and"}) == "xor";
        if (!i.modifiers.take("popc"))
            i.unsupported();
    }
    if (!mma_exists(shape, a) || (site.saturate && !is_whole(a)))
        i.unsupported();
    site.a = mma_fragment(Role::a, shape, a);
    site.b = mma_fragment(Role::b, shape, b);
    site.c = mma_fragment(Role::c, shape, c);
    site.d = mma_fragment(Role::c, shape, d);
    emit_product(i, std::move(site));
}

void decode_wmma(Instruction& i) {
    const std::string_view what = i.modifiers.take_one({"load", "store", "mma"});
    if (what != "mma")
        return what.empty() ? i.unsupported() : decode_matrix_access(i, what == "load");
    take_together(i);
    for (int factor = 0; factor < 2; ++factor) { // their layouts in memory matter no more
        const std::string_view layout = i.modifiers.take_first();
        if (layout != "row" && layout != "col")
            i.unsupported();
    }
    const MatrixShape shape = take_shape(i);
    MatrixSite site;
    site.saturate = i.modifiers.take("satfinite");
    i.modifiers.take("rn");
    const Element d = take_element(i);
    const Element second = take_element(i);
    Element a = Element::f16;
    Element b = Element::f16;
    Element c = second;
    if (!i.modifiers.empty()) { // f16 factors are not named
        a = second;
        b = take_element(i);
        c = take_element(i);
    }
    if (!wmma_exists(shape, a) || (site.saturate && !is_whole(a)))
        i.unsupported();
    site.a = wmma_fragment(Role::a, shape, a, wmma_registers(Role::a, a));
    site.b = wmma_fragment(Role::b, shape, b, wmma_registers(Role::b, b));
    site.c = wmma_fragment(Role::c, shape, c, 0);
    site.d = wmma_fragment(Role::c, shape, d, 0);
    emit_product(i, std::move(site));
}

} // namespace cudabench::cpu
