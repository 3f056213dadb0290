#include "recipe/bytes.h"

#include <algorithm>
#include <bit>

namespace cudabench::recipe {

void ByteWriter::integer(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i)
        bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
}

void ByteWriter::f64(double value) {
    u64(std::bit_cast<std::uint64_t>(value));
}

void ByteWriter::text(std::string_view value) {
    blob(std::as_bytes(std::span(value.data(), value.size())));
}

void ByteWriter::blob(std::span<const std::byte> value) {
    u64(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

std::span<const std::byte> ByteReader::next(std::uint64_t count) {
    if (failed_ || count > rest_.size()) {
        failed_ = true;
        return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
}

std::uint64_t ByteReader::integer(std::uint64_t count) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const std::byte byte : next(count)) {
        value |= std::to_integer<std::uint64_t>(byte) << shift;
        shift += 8;
    }
    return value;
}

bool ByteReader::boolean() {
    const std::uint8_t value = u8();
    if (value > 1)
        fail();
    return value == 1;
}

double ByteReader::f64() {
    return std::bit_cast<double>(u64());
}

std::string ByteReader::text() {
    const auto bytes = next(u64());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string ByteReader::name(std::size_t longest) {
    const std::uint64_t length = u64();
    if (length > longest)
        fail();
    const auto bytes = next(length);
    if (!std::ranges::all_of(bytes, [](std::byte byte) { return byte > std::byte{' '} && byte <= std::byte{'~'}; }))
        fail();
    return failed_ ? "" : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::vector<std::byte> ByteReader::blob() {
    const auto bytes = next(u64());
    return {bytes.begin(), bytes.end()};
}

std::uint64_t ByteReader::count(std::uint64_t smallest_item) {
    const std::uint64_t items = u64();
    if (smallest_item == 0 || items > rest_.size() / smallest_item) {
        fail();
        return 0;
    }
    return items;
}

} // namespace cudabench::recipe
