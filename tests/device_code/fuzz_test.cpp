#include "device_code/fat_binary.h"
#include "sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cudabench::device_code {
namespace {

/// Flips bytes where the formats keep their numbers: mostly in headers and tables, seldom anywhere.
void mutate(std::vector<std::byte>& bytes, std::mt19937_64& random) {
    for (auto count = 1 + random() % 6; count > 0; --count) {
        const std::size_t at = random() % (random() % 2 == 0 ? std::min<std::size_t>(bytes.size(), 256) : bytes.size());
        bytes[at] = random() % 3 == 0 ? std::byte{0xff} : static_cast<std::byte>(random());
    }
    if (random() % 20 == 0)
        bytes.resize(random() % bytes.size());
}

// Under the address and undefined-behaviour sanitisers, which end the test at a wrong access.

int count_read(Bytes valid, int mutations) {
    std::mt19937_64 random(7);
    int read = 0;
    for (int i = 0; i < mutations; ++i) {
        std::vector<std::byte> bytes(valid.begin(), valid.end());
        mutate(bytes, random);
        read += read_fat_binaries(bytes).has_value() ? 1 : 0;
    }
    return read;
}

/// As it is, and compressed by Zstandard and by LZ4.
class FatBinaries : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Fuzz, FatBinaries, testing::Values("small.so", "small_default.so", "small_speed.so"));

TEST_P(FatBinaries, AreReadOrRefusedWhenMutated) {
    constexpr int mutations = 5000;
    const auto file = read_file(sample(GetParam()));
    const auto code = read_shared_object(file);
    ASSERT_TRUE(code) << code.error().message;
    const int read = count_read(code->front().image, mutations);
    EXPECT_GT(read, 0);
    EXPECT_LT(read, mutations);
}

TEST(Fuzz, AMutatedSharedObjectIsReadOrRefused) {
    const auto file = read_file(sample("small.so"));
    std::mt19937_64 random(8);
    for (int i = 0; i < 2000; ++i) {
        auto bytes = file;
        mutate(bytes, random);
        (void)read_shared_object(bytes);
    }
}

TEST(Fuzz, EveryTruncationIsRefusedOrEmpty) {
    const auto file = read_file(sample("small.so"));
    const auto code = read_shared_object(file);
    ASSERT_TRUE(code);
    const Bytes image = code->front().image;
    for (std::size_t size = 1; size < image.size(); size += 7)
        EXPECT_FALSE(read_fat_binaries(
            std::vector<std::byte>(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(size))));
}

} // namespace
} // namespace cudabench::device_code
