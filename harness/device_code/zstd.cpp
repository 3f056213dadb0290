#include "device_code/entropy.h"
#include "device_code/unpack.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace cudabench::device_code {
namespace {

constexpr std::uint32_t frame_magic = 0xFD2FB528;
constexpr std::size_t most_block_bytes = 128 << 10;

/// What a code of a length stands for: a number, and bits that are added to it.
struct Length {
    std::uint32_t base;
    std::uint8_t bits;
};

// RFC 8878, section 3.1.1.3.2.1.1, and the shares of section 3.1.1.3.2.2.
constexpr auto literal_lengths = std::to_array<Length>(
    {{0, 0},   {1, 0},   {2, 0},     {3, 0},     {4, 0},     {5, 0},     {6, 0},      {7, 0},      {8, 0},
     {9, 0},   {10, 0},  {11, 0},    {12, 0},    {13, 0},    {14, 0},    {15, 0},     {16, 1},     {18, 1},
     {20, 1},  {22, 1},  {24, 2},    {28, 2},    {32, 3},    {40, 3},    {48, 4},     {64, 6},     {128, 7},
     {256, 8}, {512, 9}, {1024, 10}, {2048, 11}, {4096, 12}, {8192, 13}, {16384, 14}, {32768, 15}, {65536, 16}});
constexpr auto match_lengths = std::to_array<Length>(
    {{3, 0},   {4, 0},     {5, 0},     {6, 0},     {7, 0},     {8, 0},      {9, 0},      {10, 0},    {11, 0},
     {12, 0},  {13, 0},    {14, 0},    {15, 0},    {16, 0},    {17, 0},     {18, 0},     {19, 0},    {20, 0},
     {21, 0},  {22, 0},    {23, 0},    {24, 0},    {25, 0},    {26, 0},     {27, 0},     {28, 0},    {29, 0},
     {30, 0},  {31, 0},    {32, 0},    {33, 0},    {34, 0},    {35, 1},     {37, 1},     {39, 1},    {41, 1},
     {43, 2},  {47, 2},    {51, 3},    {59, 3},    {67, 4},    {83, 4},     {99, 5},     {131, 7},   {259, 8},
     {515, 9}, {1027, 10}, {2051, 11}, {4099, 12}, {8195, 13}, {16387, 14}, {32771, 15}, {65539, 16}});
constexpr auto literal_shares = std::to_array(
    {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1});
constexpr auto match_shares =
    std::to_array({1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                   1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1});
constexpr auto offset_shares =
    std::to_array({1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1});

/// One of the three codes of sequences.
struct Code {
    std::span<const int> shares; ///< unless others are described
    unsigned accuracy;           ///< likewise
    unsigned most_accuracy;
    std::size_t most_symbols;
};
constexpr Code literal_code{literal_shares, 6, 9, literal_lengths.size()};
constexpr Code offset_code{offset_shares, 5, 8, 32};
constexpr Code match_code{match_shares, 6, 9, match_lengths.size()};

/// Bytes from the front on.
class Input {
public:
    explicit Input(Bytes bytes) : bytes_(bytes) {}

    Bytes take(std::size_t count) {
        if (count > bytes_.size())
            throw BrokenPack("Zstandard ends too early");
        const Bytes taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }
    std::uint64_t number(std::size_t count) {
        std::uint64_t value = 0;
        const Bytes taken = take(count);
        for (std::size_t i = 0; i < count; ++i)
            value |= std::uint64_t{static_cast<std::uint8_t>(taken[i])} << (8 * i);
        return value;
    }
    [[nodiscard]] std::uint8_t look() const { return bytes_.empty() ? 0 : static_cast<std::uint8_t>(bytes_.front()); }
    [[nodiscard]] Bytes rest() const { return bytes_; }

private:
    Bytes bytes_;
};

/// One frame; its tables hold from block to block.
class Frame {
public:
    Frame(Unpacked& out, std::size_t size) : out_(out), size_(size) {}

    void unpack(Input& in) {
        const bool checksum = skip_header(in);
        for (bool last = false; !last;) {
            const std::uint64_t header = in.number(3);
            last = (header & 1) != 0;
            unpack_block(in, (header >> 1) & 3, header >> 3);
        }
        if (checksum)
            (void)in.take(4);
    }

private:
    static bool skip_header(Input& in) {
        const std::uint64_t description = in.number(1);
        const bool single_segment = (description & 0x20) != 0;
        constexpr std::array<std::size_t, 4> size_bytes = {0, 2, 4, 8};
        if ((description & 3) != 0)
            throw BrokenPack("Zstandard with a dictionary");
        if (!single_segment)
            (void)in.take(1); // the window
        const std::uint64_t flag = description >> 6;
        (void)in.take(flag == 0 && single_segment ? 1 : size_bytes[flag]);
        return (description & 4) != 0;
    }

    void unpack_block(Input& in, std::uint64_t kind, std::uint64_t bytes) {
        switch (kind) {
        case 0: return append(out_, in.take(bytes), size_);
        case 1: {
            const std::byte value = in.take(1).front();
            if (bytes > size_ - out_.size())
                throw BrokenPack("more bytes than promised");
            out_.insert(out_.end(), bytes, value);
            return;
        }
        case 2: {
            Input block(in.take(bytes));
            const Unpacked literals = read_literals(block);
            return unpack_sequences(block, literals);
        }
        default: throw BrokenPack("a block of an unknown kind");
        }
    }

    Unpacked read_literals(Input& in) {
        const unsigned kind = in.look() & 3;
        const unsigned format = (in.look() >> 2) & 3;
        if (kind < 2) { // as they are, or one of them again and again
            const std::size_t header_bytes = format == 1 ? 2 : format == 3 ? 3 : 1;
            const std::size_t size = in.number(header_bytes) >> (header_bytes == 1 ? 3 : 4);
            if (size > most_block_bytes)
                throw BrokenPack("too many literals");
            if (kind == 1)
                return Unpacked(size, in.take(1).front());
            const Bytes literals = in.take(size);
            return {literals.begin(), literals.end()};
        }
        constexpr std::array<std::size_t, 4> header_bytes = {3, 3, 4, 5};
        constexpr std::array<unsigned, 4> size_bits = {10, 10, 14, 18};
        const std::uint64_t header = in.number(header_bytes[format]);
        const std::uint64_t mask = (std::uint64_t{1} << size_bits[format]) - 1;
        const std::size_t size = (header >> 4) & mask;
        Input packed(in.take((header >> (4 + size_bits[format])) & mask));
        if (size > most_block_bytes)
            throw BrokenPack("too many literals");
        if (kind == 2) {
            std::size_t used = 0;
            literals_ = PrefixCode::read(packed.rest(), used);
            (void)packed.take(used);
        }
        if (!literals_)
            throw BrokenPack("literals of a code that is not there");
        return decode_literals(packed, size, format != 0);
    }

    /// In one stream or in four.
    [[nodiscard]] Unpacked decode_literals(Input& in, std::size_t size, bool four) const {
        Unpacked literals;
        literals.reserve(size);
        if (four) {
            std::array<std::size_t, 3> bytes{};
            for (std::size_t& stream : bytes)
                stream = in.number(2);
            const std::size_t each = (size + 3) / 4;
            for (std::size_t i = 0; i < bytes.size(); ++i)
                literals_->decode(in.take(bytes[i]), literals, std::min((i + 1) * each, size));
        }
        literals_->decode(in.rest(), literals, size);
        return literals;
    }

    static void read_table(Input& in, unsigned mode, const Code& code, std::optional<StateTable>& table) {
        switch (mode) {
        case 0: table = StateTable(code.shares, code.accuracy); return;
        case 1: {
            const auto symbol = static_cast<std::uint8_t>(in.number(1));
            if (symbol >= code.most_symbols)
                throw BrokenPack("a code of no meaning");
            table = StateTable(symbol);
            return;
        }
        case 2: {
            std::size_t used = 0;
            table = StateTable::read(in.rest(), code.most_accuracy, code.most_symbols, used);
            (void)in.take(used);
            return;
        }
        default:
            if (!table)
                throw BrokenPack("a table that is not there");
        }
    }

    static std::size_t read_count(Input& in) {
        const std::size_t first = in.number(1);
        if (first < 128)
            return first;
        return first < 255 ? ((first - 128) << 8) + in.number(1) : in.number(2) + 0x7F00;
    }

    void unpack_sequences(Input& in, Bytes literals) {
        const std::size_t count = read_count(in);
        if (count == 0)
            return append(out_, literals, size_);
        const auto modes = static_cast<unsigned>(in.number(1));
        read_table(in, modes >> 6, literal_code, literal_table_);
        read_table(in, (modes >> 4) & 3, offset_code, offset_table_);
        read_table(in, (modes >> 2) & 3, match_code, match_table_);
        BackwardBits bits(in.rest());
        std::uint32_t literal_state = literal_table_->start(bits);
        std::uint32_t offset_state = offset_table_->start(bits);
        std::uint32_t match_state = match_table_->start(bits);
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned offset_bits = offset_table_->symbol(offset_state);
            const std::uint64_t offset = (std::uint64_t{1} << offset_bits) + bits.read(offset_bits);
            const std::size_t match = length(match_lengths[match_table_->symbol(match_state)], bits);
            const std::size_t some = length(literal_lengths[literal_table_->symbol(literal_state)], bits);
            if (some > literals.size() || bits.left() < 0)
                throw BrokenPack("more sequences than there are bits or literals");
            append(out_, literals.first(some), size_);
            literals = literals.subspan(some);
            repeat(out_, distance(offset, some == 0), match, size_);
            if (i + 1 == count)
                break;
            literal_state = literal_table_->next(literal_state, bits);
            match_state = match_table_->next(match_state, bits);
            offset_state = offset_table_->next(offset_state, bits);
        }
        if (bits.left() != 0)
            throw BrokenPack("bits that belong to no sequence");
        append(out_, literals, size_);
    }

    static std::size_t length(const Length& code, BackwardBits& bits) { return code.base + bits.read(code.bits); }

    /// The smallest numbers name one of the last three distances.
    std::size_t distance(std::uint64_t offset, bool no_literals) {
        std::size_t found = offset - 3;
        std::size_t replaced = 2;
        if (offset <= 3) {
            const std::size_t which = offset - 1 + (no_literals ? 1 : 0);
            found = which < 3 ? recent_[which] : recent_[0] - 1;
            replaced = std::min<std::size_t>(which, 2);
        }
        std::copy_backward(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(replaced),
                           recent_.begin() + static_cast<std::ptrdiff_t>(replaced) + 1);
        recent_[0] = found;
        return found;
    }

    Unpacked& out_;
    std::size_t size_;
    std::optional<PrefixCode> literals_;
    std::optional<StateTable> literal_table_, offset_table_, match_table_;
    std::array<std::size_t, 3> recent_ = {1, 4, 8};
};

} // namespace

Unpacked unpack_zstd(Bytes frames, std::size_t size) {
    Unpacked out;
    Input in(frames);
    while (out.size() < size) {
        if (in.number(4) != frame_magic)
            throw BrokenPack("no Zstandard frame");
        Frame(out, size).unpack(in);
    }
    return out;
}

} // namespace cudabench::device_code
