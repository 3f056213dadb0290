#include "executor/cpu/access.h"
#include "executor/cpu/alu.h"

#include <array>
#include <cstring>

/// ldmatrix, stmatrix, movmatrix: 8 x 8 matrices of 16 bits, by rows in shared memory, by pairs of neighbours in
/// registers.
namespace cudabench::cpu {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

constexpr unsigned side = 8;
constexpr std::uint32_t row_bytes = 16;
using Matrix = std::array<std::uint16_t, std::size_t{side} * side>;

/// The element of a matrix that a lane holds in the lower (0) or upper (1) half of its register.
unsigned held(unsigned lane, unsigned half, bool transposed) {
    const unsigned i = lane / 4;
    const unsigned j = lane % 4 * 2 + half;
    return transposed ? j * side + i : i * side + j;
}

std::uint32_t pair_of(const Matrix& matrix, unsigned lane, bool transposed) {
    return matrix[held(lane, 0, transposed)] | std::uint32_t{matrix[held(lane, 1, transposed)]} << 16;
}

void put_pair(Matrix& matrix, unsigned lane, bool transposed, std::uint32_t pair) {
    matrix[held(lane, 0, transposed)] = static_cast<std::uint16_t>(pair);
    matrix[held(lane, 1, transposed)] = static_cast<std::uint16_t>(pair >> 16);
}

/// Matrix m: the lanes that have the addresses of its rows.
Lanes lanes_of(std::size_t m) {
    return Lanes{0xFF} << (side * m);
}

template <bool transposed> void load_matrices(Warp& warp, const Step& step, Lanes lanes) {
    const std::vector<Place>& places = warp.code().places[step.target];
    const Addresses addresses = addresses_of(warp, step, lanes);
    std::array<Matrix, 4> matrices{};
    for (std::size_t m = 0; m < places.size(); ++m)
        with_located(warp, static_cast<Where>(step.space), addresses, lanes_of(m) & lanes, row_bytes, Access::read,
                     [&](Lanes some, Located located) {
                         each(some, [&](unsigned lane) {
                             std::memcpy(&matrices[m][std::size_t{lane % side} * side],
                                         located.at(addresses[lane], lane), row_bytes);
                         });
                     });
    for (std::size_t m = 0; m < places.size(); ++m) {
        auto* const d = warp.at<std::uint32_t>(places[m]);
        each(lanes, [&](unsigned lane) { d[lane] = pair_of(matrices[m], lane, transposed); });
    }
}

template <bool transposed> void store_matrices(Warp& warp, const Step& step, Lanes lanes) {
    const std::vector<Place>& places = warp.code().places[step.target];
    const Addresses addresses = addresses_of(warp, step, lanes);
    for (std::size_t m = 0; m < places.size(); ++m) {
        Matrix matrix{};
        const auto* const from = warp.at<std::uint32_t>(places[m]);
        each(lanes, [&](unsigned lane) { put_pair(matrix, lane, transposed, from[lane]); });
        with_located(warp, static_cast<Where>(step.space), addresses, lanes_of(m) & lanes, row_bytes, Access::write,
                     [&](Lanes some, Located located) {
                         each(some, [&](unsigned lane) {
                             std::memcpy(located.at(addresses[lane], lane), &matrix[std::size_t{lane % side} * side],
                                         row_bytes);
                         });
                     });
    }
}

void transpose(Warp& warp, const Step& step, Lanes lanes) {
    Matrix matrix{};
    const auto* const a = warp.at<std::uint32_t>(step.a);
    each(lanes, [&](unsigned lane) { put_pair(matrix, lane, false, a[lane]); });
    auto* const d = warp.at<std::uint32_t>(step.d);
    each(lanes, [&](unsigned lane) { d[lane] = pair_of(matrix, lane, true); });
}

void take_together(Instruction& i) {
    if (!i.modifiers.take("sync") || !i.modifiers.take("aligned") || !i.modifiers.take("m8n8"))
        i.unsupported();
    i.step.e = i.names().constant(all_lanes, 0, 4);
    i.step.control = Control::collective;
}

void decode_rows(Instruction& i, const ptx::Operand& registers, const ptx::Operand& address, bool loads) {
    take_together(i);
    const std::string_view number = i.modifiers.take_one({"x1", "x2", "x4"});
    const bool transposed = i.modifiers.take("trans");
    i.step.space = static_cast<std::uint8_t>(take_where(i));
    if (i.size() != 2 || i.type() != Type::b16 || number.empty())
        i.unsupported();
    std::vector<Place> places;
    const std::vector<ptx::Operand> elements =
        registers.kind == Kind::vector ? registers.parts : std::vector{registers};
    places.reserve(elements.size());
    for (const ptx::Operand& element : elements)
        places.push_back(loads ? i.destination(element, Type::b32) : i.source(element, Type::b32));
    if (places.size() != static_cast<std::size_t>(number[1] - '0'))
        i.unsupported();
    encode_address(i, address);
    i.step.target = static_cast<std::uint32_t>(i.names().code().places.size());
    i.names().code().places.push_back(std::move(places));
    i.emit(loads ? (transposed ? &load_matrices<true> : &load_matrices<false>)
                 : (transposed ? &store_matrices<true> : &store_matrices<false>));
}

} // namespace

void decode_ldmatrix(Instruction& i) {
    decode_rows(i, i.operand(0), i.operand(1), true);
}

void decode_stmatrix(Instruction& i) {
    decode_rows(i, i.operand(1), i.operand(0), false);
}

void decode_movmatrix(Instruction& i) {
    take_together(i);
    if (!i.modifiers.take("trans") || i.type() != Type::b16 || i.size() != 2)
        i.unsupported();
    i.step.d = i.destination(0, Type::b32);
    i.step.a = i.source(1, Type::b32);
    i.emit(&transpose);
}

} // namespace cudabench::cpu
