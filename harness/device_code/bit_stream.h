#pragma once

#include "device_code/unpack.h"

#include <bit>
#include <cstddef>
#include <cstdint>

/// Zstandard's two ways to read bits of a little-endian number of any length: RFC 8878, section 4.1.
namespace cudabench::device_code {

/// `count` bits (at most 32) from bit `first` on; those behind the end are 0.
[[nodiscard]] inline std::uint32_t bits_at(Bytes bytes, std::size_t first, unsigned count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 5 && first / 8 + i < bytes.size(); ++i)
        value |= std::uint64_t{static_cast<std::uint8_t>(bytes[first / 8 + i])} << (8 * i);
    return static_cast<std::uint32_t>((value >> (first % 8)) & ((std::uint64_t{1} << count) - 1));
}

/// From the first bit on.
class ForwardBits {
public:
    explicit ForwardBits(Bytes bytes) : bytes_(bytes) {}

    std::uint32_t read(unsigned count) {
        if (next_ + count > 8 * bytes_.size())
            throw BrokenPack("bits end too early");
        const std::uint32_t value = bits_at(bytes_, next_, count);
        next_ += count;
        return value;
    }
    /// As read(), but stays; bits behind the end are 0.
    [[nodiscard]] std::uint32_t look(unsigned count) const { return bits_at(bytes_, next_, count); }
    [[nodiscard]] std::size_t bytes_used() const { return (next_ + 7) / 8; }

private:
    Bytes bytes_;
    std::size_t next_ = 0;
};

/// From the last bit on, which is the highest one that is set and marks the end. Bits before the start are 0.
class BackwardBits {
public:
    explicit BackwardBits(Bytes bytes) : bytes_(bytes) {
        if (bytes.empty() || bytes.back() == std::byte{0})
            throw BrokenPack("bits without an end");
        left_ = static_cast<std::int64_t>(8 * (bytes.size() - 1)) +
                std::bit_width(static_cast<std::uint8_t>(bytes.back())) - 1;
    }

    std::uint32_t read(unsigned count) {
        left_ -= count;
        if (left_ >= 0)
            return bits_at(bytes_, static_cast<std::size_t>(left_), count);
        const std::int64_t there = left_ + count;
        return there <= 0 ? 0
                          : bits_at(bytes_, 0, static_cast<unsigned>(there)) << (count - static_cast<unsigned>(there));
    }
    /// Negative: bits that were read before the start.
    [[nodiscard]] std::int64_t left() const { return left_; }

private:
    Bytes bytes_;
    std::int64_t left_ = 0;
};

} // namespace cudabench::device_code
