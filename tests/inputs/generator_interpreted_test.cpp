#include "executor/cpu/performance.h"
#include "inputs/generate.h"
#include "inputs/with_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <tuple>

namespace cudabench {
namespace {

using Kind = Distribution::Kind;

/// The kernel that draws values on a GPU, interpreted: it gives the bits of the host.
class InterpretedGenerator : public testing::TestWithParam<std::tuple<Kind, Dtype>> {};

template <typename T> std::vector<std::byte> argument(const T& value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

Distribution distribution_of(Kind kind) {
    const bool whole = kind == Kind::integer || kind == Kind::ascending;
    return {.kind = kind,
            .a = whole ? 3 : 1.7,
            .b = whole ? 200 : 90.3,
            .drift = !whole,
            .needle_probability = kind == Kind::ascending ? 0 : 0.05,
            .needle_factor = 1.5};
}

TEST_P(InterpretedGenerator, GivesTheBitsOfTheHost) {
    constexpr cpu::Address address = 0x200000000000;
    constexpr std::uint64_t elements = 777;
    const auto [kind, dtype] = GetParam();
    const Draw draw = prepare_draw(distribution_of(kind), dtype, 0xFEDCBA9876543210, 2, elements);
    std::vector<std::byte> expected(elements * with_type(dtype, [](auto zero) { return sizeof zero; }));
    generate_on_host(draw, expected);

    cpu::Memory memory;
    auto program = cpu::Program::load(CUDABENCH_GENERATE_KERNEL);
    ASSERT_TRUE(program) << program.error().message;
    memory.map(address, expected.size(), true, "destination", 0);
    recipe::Launch launch;
    launch.kernel = "cudabench_generate";
    launch.grid.x = 3; // less than one thread an element
    launch.block.x = 128;
    launch.arguments = {argument(draw), argument(address)};
    cpu::Performance performance(memory, *program, {});
    const std::vector<recipe::Operation> operations = {launch};
    const auto done = performance.perform(operations);
    ASSERT_TRUE(done) << done.error().message;

    EXPECT_EQ(std::memcmp(memory.at(address, expected.size()), expected.data(), expected.size()), 0);
}

INSTANTIATE_TEST_SUITE_P(All, InterpretedGenerator,
                         testing::Combine(testing::Values(Kind::uniform, Kind::normal, Kind::integer, Kind::ascending),
                                          testing::Values(Dtype::float32, Dtype::int32, Dtype::int64, Dtype::uint8)));

} // namespace
} // namespace cudabench
