#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Explicit little-endian bytes: what is written on one machine reads the same on another, and hostile bytes meet no
/// undefined behaviour.
namespace cudabench::recipe {

/// Appends values to `bytes`.
class ByteWriter {
public:
    void u8(std::uint8_t value) { bytes_.push_back(std::byte{value}); }
    void u32(std::uint32_t value) { integer(value, 4); }
    void u64(std::uint64_t value) { integer(value, 8); }
    void f64(double value);
    void text(std::string_view value);           ///< length (u64), then the bytes
    void blob(std::span<const std::byte> value); ///< length (u64), then the bytes

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }
    void clear() { bytes_.clear(); }

private:
    void integer(std::uint64_t value, int count);

    std::vector<std::byte> bytes_;
};

/// Reads what a ByteWriter wrote. A read past the end gives zeros and marks the reader as failed for good, so that a
/// caller checks once, at the end.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    [[nodiscard]] std::uint8_t u8() { return static_cast<std::uint8_t>(integer(1)); }
    [[nodiscard]] std::uint32_t u32() { return static_cast<std::uint32_t>(integer(4)); }
    [[nodiscard]] std::uint64_t u64() { return integer(8); }
    [[nodiscard]] bool boolean(); ///< one byte; anything but 0 and 1 fails
    [[nodiscard]] double f64();
    [[nodiscard]] std::string text();
    /// A text of at most `longest` graphic ASCII characters, no space among them; anything else fails.
    [[nodiscard]] std::string name(std::size_t longest);
    [[nodiscard]] std::vector<std::byte> blob();
    /// A count of items of at least `smallest_item` bytes each: fails if so many cannot follow.
    [[nodiscard]] std::uint64_t count(std::uint64_t smallest_item);

    void fail() { failed_ = true; }
    [[nodiscard]] bool failed() const { return failed_; }
    /// Whether everything was read, and nothing is left.
    [[nodiscard]] bool complete() const { return !failed_ && rest_.empty(); }

private:
    std::span<const std::byte> next(std::uint64_t count);
    std::uint64_t integer(std::uint64_t count);

    std::span<const std::byte> rest_;
    bool failed_ = false;
};

} // namespace cudabench::recipe
