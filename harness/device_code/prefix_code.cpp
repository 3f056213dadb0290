#include "device_code/entropy.h"

#include <array>
#include <bit>
#include <utility>

namespace cudabench::device_code {
namespace {

constexpr unsigned most_bits = 11;
constexpr std::size_t most_symbols = 256;
constexpr unsigned most_weight_accuracy = 6;

/// By two states in turns, until the bits do not suffice for another one.
std::vector<std::uint8_t> packed_weights(Bytes bytes) {
    std::size_t used = 0;
    const StateTable table = StateTable::read(bytes, most_weight_accuracy, most_bits + 1, used);
    BackwardBits bits(bytes.subspan(used));
    std::array<std::uint32_t, 2> states{};
    for (std::uint32_t& state : states)
        state = table.start(bits);
    std::vector<std::uint8_t> weights;
    for (std::size_t turn = 0; weights.size() < most_symbols; turn ^= 1) {
        weights.push_back(table.symbol(states[turn]));
        states[turn] = table.next(states[turn], bits);
        if (bits.left() < 0) {
            weights.push_back(table.symbol(states[turn ^ 1]));
            return weights;
        }
    }
    throw BrokenPack("too many weights");
}

} // namespace

PrefixCode PrefixCode::read(Bytes bytes, std::size_t& used) {
    constexpr std::size_t packed = 128; // headers from here on count weights of 4 bits
    if (bytes.empty())
        throw BrokenPack("no prefix code");
    const auto header = static_cast<std::size_t>(bytes.front());
    const std::size_t stored = header < packed ? header : (header - packed + 2) / 2;
    if (stored + 1 > bytes.size())
        throw BrokenPack("a prefix code that ends too early");
    used = stored + 1;
    const Bytes description = bytes.subspan(1, stored);
    if (header < packed)
        return PrefixCode(packed_weights(description));
    std::vector<std::uint8_t> weights;
    for (std::size_t i = 0; i < header - packed + 1; ++i)
        weights.push_back(static_cast<std::uint8_t>(bits_at(description, 8 * (i / 2) + (i % 2 == 0 ? 4 : 0), 4)));
    return PrefixCode(std::move(weights));
}

/// A symbol of weight w takes 2^(w-1) of the entries; the last symbol takes what is left.
PrefixCode::PrefixCode(std::vector<std::uint8_t> weights) {
    std::uint32_t taken = 0;
    for (const std::uint8_t weight : weights) {
        if (weight > most_bits)
            throw BrokenPack("a prefix code of too many bits");
        taken += weight == 0 ? 0 : 1U << (weight - 1);
    }
    longest_ = static_cast<unsigned>(std::bit_width(taken));
    const std::uint32_t rest = (1U << longest_) - taken;
    if (taken == 0 || longest_ > most_bits || !std::has_single_bit(rest) || weights.size() >= most_symbols)
        throw BrokenPack("weights that make no prefix code");
    weights.push_back(static_cast<std::uint8_t>(std::bit_width(rest)));
    for (unsigned weight = 1; weight <= longest_; ++weight) // the longest codes come first
        for (std::size_t s = 0; s < weights.size(); ++s)
            if (weights[s] == weight)
                entries_.insert(entries_.end(), std::size_t{1} << (weight - 1),
                                {static_cast<std::uint8_t>(s), static_cast<std::uint8_t>(longest_ + 1 - weight)});
}

void PrefixCode::decode(Bytes stream, Unpacked& out, std::size_t size) const {
    BackwardBits bits(stream);
    const auto start = -static_cast<std::int64_t>(longest_);
    std::uint32_t state = bits.read(longest_);
    while (bits.left() > start) {
        if (out.size() == size)
            throw BrokenPack("more literals than promised");
        const Entry& entry = entries_[state];
        out.push_back(std::byte{entry.symbol});
        state = ((state << entry.bits) | bits.read(entry.bits)) & ((1U << longest_) - 1);
    }
    if (bits.left() != start || out.size() != size)
        throw BrokenPack("literals that do not end where they should");
}

} // namespace cudabench::device_code
