#include "inputs/philox.h"

#include <gtest/gtest.h>

namespace cudabench {
namespace {

// Known answers of philox4x32-10 that the authors publish with Random123 (kat_vectors).
TEST(Philox, ZeroCounterAndKey) {
    EXPECT_EQ(philox({{0, 0, 0, 0}}, 0), (PhiloxBlock{{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}}));
}

TEST(Philox, AllOnes) {
    constexpr std::uint32_t ones = 0xFFFFFFFF;
    EXPECT_EQ(philox({{ones, ones, ones, ones}}, ~std::uint64_t{0}),
              (PhiloxBlock{{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}}));
}

TEST(Philox, DigitsOfPi) {
    EXPECT_EQ(philox({{0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}}, 0x299F31D0A4093822),
              (PhiloxBlock{{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}}));
}

} // namespace
} // namespace cudabench
