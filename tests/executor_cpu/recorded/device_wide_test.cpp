#include "on_the_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <random>

namespace cudabench::cpu {
namespace {

struct Way {
    const char* name;
    unsigned threads; ///< of the host
    bool watched = false;
};

void PrintTo(const Way& way, std::ostream* out) {
    *out << way.name;
}

/// Also while every access is watched: CUB reads nothing that is not written, and has no races.
class DeviceWide : public testing::TestWithParam<Way> {
protected:
    std::string call(const char* function, std::size_t n) {
        std::optional<Findings> watch;
        if (GetParam().watched)
            watch = Findings{.uninitialised = true, .races = true};
        return device_.call(function, {static_cast<std::int64_t>(n)}, GetParam().threads, watch);
    }

    OnTheCpu device_{DEVICE_WIDE};
    std::mt19937 random_{11};
};

INSTANTIATE_TEST_SUITE_P(HostThreads, DeviceWide,
                         testing::Values(Way{"one", 1}, Way{"two", 2}, Way{"watched", 2, true}),
                         [](const auto& way) { return std::string(way.param.name); });

TEST_P(DeviceWide, PairsAreSortedAndKeepTheirOrder) {
    constexpr std::size_t n = 30'011; // some tiles, the last one in part
    std::vector<std::uint32_t> keys(n);
    for (std::uint32_t& key : keys)
        key = static_cast<std::uint32_t>(random_()) & 0xFF00'0FFF; // some are equal
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    device_.add_input(keys);
    device_.add_input(order);
    device_.add_output<std::uint32_t>(n);
    device_.add_output<std::uint32_t>(n);
    ASSERT_EQ(call("sort_pairs", n), "");
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
    std::ranges::sort(keys);
    EXPECT_EQ(device_.values<std::uint32_t>(2), keys);
    EXPECT_EQ(device_.values<std::uint32_t>(3), order);
}

TEST_P(DeviceWide, DoublesAreScanned) {
    constexpr std::size_t n = 30'011;
    std::vector<double> numbers(n);
    for (double& number : numbers)
        number = static_cast<double>(random_() % 2001) - 1000; // whole: sums are exact
    device_.add_input(numbers);
    device_.add_output<double>(n);
    ASSERT_EQ(call("scan", n), "");
    std::partial_sum(numbers.begin(), numbers.end(), numbers.begin());
    EXPECT_EQ(device_.values<double>(1), numbers);
}

TEST_P(DeviceWide, TheLargestIsFound) {
    constexpr std::size_t n = 30'011;
    std::vector<float> numbers(n);
    for (float& number : numbers)
        number = -static_cast<float>(random_() % 1'000'000) - 1;
    device_.add_input(numbers);
    device_.add_output<float>(1);
    ASSERT_EQ(call("largest", n), "");
    EXPECT_EQ(device_.values<float>(1).front(), *std::ranges::max_element(numbers));
}

} // namespace
} // namespace cudabench::cpu
