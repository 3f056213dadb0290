#include "executor/cpu/performance.h"
#include "inputs/generate.h"
#include "inputs/with_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

namespace cudabench {
namespace {

using Kind = Distribution::Kind;
template <typename T> using Named = std::pair<T, const char*>;

/// The kernel that draws values on a GPU, interpreted: it gives the bits of the host.
class InterpretedGenerator : public testing::TestWithParam<std::tuple<Named<Kind>, Named<Dtype>>> {};

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
    const Kind kind = std::get<0>(GetParam()).first;
    const Dtype dtype = std::get<1>(GetParam()).first;
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

constexpr std::array kinds = {Named<Kind>{Kind::uniform, "uniform"}, Named<Kind>{Kind::normal, "normal"},
                              Named<Kind>{Kind::integer, "integer"}, Named<Kind>{Kind::ascending, "ascending"}};
constexpr std::array dtypes = {Named<Dtype>{Dtype::float32, "float32"}, Named<Dtype>{Dtype::int32, "int32"},
                               Named<Dtype>{Dtype::int64, "int64"}, Named<Dtype>{Dtype::uint8, "uint8"}};

std::string name_of(const testing::TestParamInfo<InterpretedGenerator::ParamType>& tested) {
    return std::string(std::get<0>(tested.param).second) + "_" + std::get<1>(tested.param).second;
}

INSTANTIATE_TEST_SUITE_P(All, InterpretedGenerator,
                         testing::Combine(testing::ValuesIn(kinds), testing::ValuesIn(dtypes)), name_of);

} // namespace
} // namespace cudabench
