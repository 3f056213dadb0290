#include "verify/poison.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace cudabench::verify {
namespace {

TEST(Poison, IsAQuietNanOfTheSeedForFloats) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const std::uint32_t word = poison_word(seed);
        EXPECT_TRUE(std::isnan(std::bit_cast<float>(word)));
        EXPECT_NE(word & 0x00400000U, 0U) << "quiet";
        EXPECT_NE(word & 0x7FFFFFFFU, 0x7FFFFFFFU) << "the NaN of the GPU";
        EXPECT_NE(word & 0x7FFFFFFFU, 0x7FC00000U) << "the NaN of the CPU";
        EXPECT_NE(word, poison_word(seed + 1));
        EXPECT_TRUE(std::isnan(std::bit_cast<double>(std::uint64_t{word} << 32 | word)));
    }
}

TEST(Poison, IsNeitherSmallNorAFlagForIntegers) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        for (int byte = 0; byte < 4; ++byte) {
            EXPECT_GE(poison_word(seed) >> (8 * byte) & 0xFFU, 0x40U);
        }
    }
}

TEST(Poison, FindsTheFirstChangedByte) {
    std::vector<std::byte> bytes(1001);
    const std::uint32_t word = poison_word(5);
    fill_poison(bytes, word);
    const std::span slack = std::span(bytes).subspan(3); // the pattern follows the address
    EXPECT_EQ(first_changed(slack, word), std::nullopt);
    slack[997] ^= std::byte{1};
    EXPECT_EQ(first_changed(slack, word), 997U);
    slack[10] = ~slack[10];
    EXPECT_EQ(first_changed(slack, word), 10U);
    EXPECT_EQ(first_changed({}, word), std::nullopt);
}

} // namespace
} // namespace cudabench::verify
