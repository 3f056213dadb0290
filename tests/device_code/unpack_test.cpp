#include "device_code/fat_binary.h"
#include "device_code/unpack.h"
#include "sample.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>

namespace cudabench::device_code {
namespace {

Unpacked bytes(std::initializer_list<int> values) {
    Unpacked result;
    for (const int value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

std::string text(const Unpacked& unpacked) {
    return {reinterpret_cast<const char*>(unpacked.data()), unpacked.size()};
}

/// By nvcc, whose raw output shows what must come of it.
class Compressed : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Modes, Compressed, testing::Values("default.so", "all.so", "size.so", "speed.so"));

TEST_P(Compressed, CodeIsThatOfTheRawFile) {
    const auto raw = read_shared_object(read_file(sample("raw.so")));
    const auto file = read_file(sample(GetParam()));
    const auto unpacked = read_shared_object(file);
    ASSERT_TRUE(raw) << raw.error().message;
    ASSERT_TRUE(unpacked) << unpacked.error().message;
    ASSERT_EQ(unpacked->size(), 1U);
    EXPECT_LT(unpacked->front().image.size(), raw->front().image.size());
    EXPECT_EQ(unpacked->front().kernels, raw->front().kernels);
    EXPECT_EQ(unpacked->front().variables, raw->front().variables);
    ASSERT_EQ(unpacked->front().ptx.size(), 1U);
    EXPECT_EQ(unpacked->front().ptx[0].text, raw->front().ptx[0].text);
}

TEST(Lz4, IsUnpackedByHand) {
    // 3 literals, 9 bytes from 3 back; 20 literals, the length of which takes a byte more.
    Unpacked block = bytes({0x35, 'a', 'b', 'c', 3, 0, 0xF0, 5});
    for (int i = 0; i < 20; ++i)
        block.push_back(static_cast<std::byte>('A' + i));
    EXPECT_EQ(text(unpack_lz4(block, 32)), "abcabcabcabcABCDEFGHIJKLMNOPQRST");
    EXPECT_THROW((void)unpack_lz4(block, 31), BrokenPack);
    EXPECT_THROW((void)unpack_lz4(block, 33), BrokenPack);
    EXPECT_THROW((void)unpack_lz4(bytes({0x35, 'a', 'b', 'c', 4, 0, 0}), 12), BrokenPack); // from before the start
}

TEST(Zstandard, IsUnpackedByHand) {
    // A frame of 9 bytes in one segment: a raw block of 3 bytes, and the last block: 6 times the same one.
    const Unpacked frame =
        bytes({0x28, 0xB5, 0x2F, 0xFD, 0x20, 9, 3 << 3, 0, 0, 'a', 'b', 'c', (6 << 3) | 2 | 1, 0, 0, 'x'});
    EXPECT_EQ(text(unpack_zstd(frame, 9)), "abcxxxxxx");
    EXPECT_THROW((void)unpack_zstd(frame, 8), BrokenPack);
    EXPECT_THROW((void)unpack_zstd(frame, 10), BrokenPack);
    // One block of 11 bytes: 4 literals as they are; one sequence, of codes of one symbol each: 2 literals, a match of
    // 5 bytes, an offset of 2 bits. They are 01, which is 2 back, below the bit that marks the end.
    Unpacked compressed = bytes({0x28, 0xB5, 0x2F, 0xFD, 0x20, 9, (11 << 3) | 4 | 1, 0, 0});
    for (const int byte : {4 << 3, int{'a'}, int{'b'}, int{'c'}, int{'d'}, 1, 0x54, 2, 2, 2, 5})
        compressed.push_back(static_cast<std::byte>(byte));
    EXPECT_EQ(text(unpack_zstd(compressed, 9)), "abababacd");
    compressed.back() = std::byte{0}; // nothing marks the end
    EXPECT_THROW((void)unpack_zstd(compressed, 9), BrokenPack);
}

} // namespace
} // namespace cudabench::device_code
