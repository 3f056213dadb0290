#include "on_the_cpu.h"

#include <gtest/gtest.h>

#include <ostream>

namespace cudabench::cpu {
namespace {

struct Tried {
    const char* function;
    const char* module = FEATURES;
};

void PrintTo(const Tried& tried, std::ostream* out) {
    *out << tried.function;
}

/// Every function of tests/runtime/candidates/features.cu and relocatable.cu sets output = 2 * input + 1.
class Feature : public testing::TestWithParam<Tried> {};

TEST_P(Feature, DoesWhatTheRealRuntimeDoes) {
    constexpr std::size_t n = 4096;
    std::vector<float> input(n);
    std::vector<float> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        input[i] = static_cast<float>(i % 1000);
        expected[i] = 2 * input[i] + 1;
    }
    OnTheCpu device(GetParam().module);
    device.add_input(input);
    device.add_output<float>(n);
    ASSERT_EQ(device.call(GetParam().function, {n}, 2), "");
    EXPECT_EQ(device.values<float>(1), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Recipes, Feature,
    testing::Values(Tried{"large_shared_memory"}, Tried{"pools"}, Tried{"copies_in_three_dimensions"},
                    Tried{"symbol_address"}, Tried{"host_function"}, Tried{"event_times"}, Tried{"managed"},
                    Tried{"managed_without_looking"}, Tried{"managed_variables"}, Tried{"zero_copy"},
                    Tried{"pinned_by_its_pointer"}, Tried{"pinned_staging"}, Tried{"programmatic_launch"},
                    Tried{"cooperative_grid"}, Tried{"texture_of_an_array"}, Tried{"texture_of_memory"},
                    Tried{"texture_of_rows"}, Tried{"surface_of_a_volume"}, Tried{"captured_graph"},
                    Tried{"graph_with_memory"}, Tried{"graph_by_hand"}, Tried{"separate_compilation", RELOCATABLE}),
    [](const auto& tried) { return std::string(tried.param.function); });

} // namespace
} // namespace cudabench::cpu
