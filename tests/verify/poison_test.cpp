#include "verify/poison.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace cudabench::verify {
namespace {

TEST(Poison, OfFloatsIsAQuietNanOfTheSeed) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const std::uint32_t single = poison_word(Dtype::float32, seed);
        EXPECT_TRUE(std::isnan(std::bit_cast<float>(single)));
        EXPECT_NE(single & 0x00400000U, 0U) << "quiet";
        EXPECT_NE(single & 0x7FFFFFFFU, 0x7FFFFFFFU) << "the NaN of the GPU";
        EXPECT_NE(single & 0x7FFFFFFFU, 0x7FC00000U) << "the NaN of the CPU";
        EXPECT_NE(single, poison_word(Dtype::float32, seed + 1));
        const std::uint64_t word = poison_word(Dtype::float64, seed);
        EXPECT_TRUE(std::isnan(std::bit_cast<double>(word << 32 | word)));
    }
}

TEST(Poison, OfWholeNumbersIsNeitherSmallNorAFlag) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        for (const Dtype dtype : {Dtype::int32, Dtype::uint32, Dtype::int64, Dtype::uint8}) {
            const std::uint32_t word = poison_word(dtype, seed);
            for (int byte = 0; byte < 4; ++byte) {
                EXPECT_GE(word >> (8 * byte) & 0xFFU, 0x40U);
            }
        }
    }
}

TEST(Poison, FindsTheFirstChangedByte) {
    std::vector<std::byte> bytes(1001);
    const std::uint32_t word = poison_word(Dtype::float32, 5);
    fill_poison(bytes, word);
    const std::span slack = std::span(bytes).subspan(3); // the pattern follows the address
    EXPECT_EQ(first_changed_on_host(slack, word), std::nullopt);
    slack[997] ^= std::byte{1};
    EXPECT_EQ(first_changed_on_host(slack, word), 997U);
    slack[10] = ~slack[10];
    EXPECT_EQ(first_changed_on_host(slack, word), 10U);
    EXPECT_EQ(first_changed_on_host({}, word), std::nullopt);
}

} // namespace
} // namespace cudabench::verify
