#include "inputs/seed.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace cudabench {
namespace {

class Seed : public testing::Test {
protected:
    void SetUp() override { unsetenv("CUDABENCH_SEED"); }
    void TearDown() override { unsetenv("CUDABENCH_SEED"); }
};

TEST_F(Seed, ComesFromTheEnvironment) {
    setenv("CUDABENCH_SEED", "18446744073709551615", 1);
    EXPECT_EQ(run_seed().value(), 18446744073709551615U);
    setenv("CUDABENCH_SEED", "0xDeadBeef", 1);
    EXPECT_EQ(run_seed().value(), 0xDEADBEEFU);
}

TEST_F(Seed, IsFreshOtherwise) {
    EXPECT_NE(run_seed().value(), run_seed().value());
}

TEST_F(Seed, RefusesWhatIsNoNumber) {
    for (const char* text : {"", "0x", "12 ", "-1", "1e3", "18446744073709551616"}) {
        setenv("CUDABENCH_SEED", text, 1);
        const auto seed = run_seed();
        ASSERT_FALSE(seed.has_value()) << text;
        EXPECT_NE(seed.error().message.find("CUDABENCH_SEED"), std::string::npos);
    }
}

TEST_F(Seed, DerivedSeedsDiffer) {
    std::set<std::uint64_t> seeds;
    for (const std::uint64_t run : {0U, 1U}) {
        for (std::uint32_t purpose = 0; purpose <= static_cast<std::uint32_t>(Purpose::choice); ++purpose) {
            for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
                seeds.insert(derive_seed(run, static_cast<Purpose>(purpose), index));
            }
        }
    }
    EXPECT_EQ(seeds.size(), 2U * 5 * 3);
    EXPECT_EQ(derive_seed(7, Purpose::edge, 3), derive_seed(7, Purpose::edge, 3));
}

} // namespace
} // namespace cudabench
