#include "executor_fixture.h"

#include <algorithm>
#include <numeric>

namespace cudabench::gpu {
namespace {

using recipe::launch;
using recipe::Region;
using recipe::Symbol;

class OperationsTest : public ExecutorTest {};

std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> result;
    for (const int value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

TEST_F(OperationsTest, FillsAndCopiesWithPitch) {
    ShapeBuffers buffers = this->buffers(32);
    const CUdeviceptr out = buffers.outputs()[0].address;
    expect_performed({
        recipe::Fill{0, out, 0, {32, 1}, 9}, recipe::Fill{0, out, 8, {2, 3}, 1}, // rows at 0, 8, 16
        recipe::CopyToDevice{0, out + 4, 8, {2, 2}, bytes({2, 3, 4, 5})},        // rows at 4, 12
        recipe::CopyOnDevice{0, out + 24, out, 4, 8, {2, 2}},                    // from 0, 8 to 24, 28
        recipe::CopyOnDevice{0, out + 30, out + 4, 0, 0, {2, 1}}, recipe::Fill{0, out, 0, {0, 1}, 7}, // nothing
    });
    EXPECT_EQ(read<std::byte>(out, 32),
              bytes({1, 1, 9, 9, 2, 3, 9, 9, 1, 1, 9, 9, 4, 5, 9, 9, 1, 1, 9, 9, 9, 9, 9, 9, 1, 1, 9, 9, 1, 1, 2, 3}));
}

TEST_F(OperationsTest, CopiesFromAndToVariables) {
    ShapeBuffers buffers = this->buffers(16);
    const CUdeviceptr out = buffers.outputs()[0].address;
    const std::vector<float> two{20, 30};
    std::vector<std::byte> data(8);
    std::memcpy(data.data(), two.data(), 8);
    expect_performed({recipe::CopyToDevice{0, Symbol{"coefficients", 4}, 0, {8, 1}, data},
                      recipe::CopyOnDevice{0, out, Symbol{"coefficients", 0}, 0, 0, {16, 1}}});
    EXPECT_EQ(read<float>(out, 4), (std::vector<float>{1, 20, 30, 4}));
}

TEST_F(OperationsTest, ArgumentsOfEveryAlignmentArrive) {
    struct Mixed {
        int a;
        double b;
        char c;
    };
    Mixed mixed;
    std::memset(&mixed, 0, sizeof(mixed));
    mixed.a = 1;
    mixed.b = 0.5;
    mixed.c = 2;
    ShapeBuffers buffers = this->buffers(8);
    const CUdeviceptr out = buffers.outputs()[0].address;
    expect_performed({launch("_Z4takeI5MixedEvT_Pds", 1, mixed, out, static_cast<short>(4))});
    EXPECT_EQ(read<double>(out, 1)[0], 7.5);
}

TEST_F(OperationsTest, DynamicSharedMemoryBeyond48KB) {
    constexpr int count = 24'000; // 96,000 bytes
    ShapeBuffers buffers = this->buffers(count * 4);
    const CUdeviceptr out = buffers.outputs()[0].address;
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0f);
    executor_->write(out, std::as_bytes(std::span(values)));
    auto reverse = launch("reverse_in_shared", 1024, out, count);
    reverse.dynamic_shared_bytes = count * 4;
    expect_performed({reverse});
    std::ranges::reverse(values);
    EXPECT_EQ(read<float>(out, count), values);
}

TEST_F(OperationsTest, ACooperativeGridWaitsForAllBlocks) {
    constexpr std::uint32_t blocks = 64;
    ShapeBuffers buffers = this->buffers(4 * (blocks + 1));
    const CUdeviceptr out = buffers.outputs()[0].address;
    auto sum = launch("grid_sum", 128, out, out + 4);
    sum.grid = {.x = blocks};
    sum.cooperative = true;
    expect_performed({recipe::Fill{0, out, 0, {4 * (blocks + 1), 1}, 0}, sum});
    EXPECT_EQ(read<int>(out, blocks + 1), std::vector<int>(blocks + 1, blocks * 128));
}

TEST_F(OperationsTest, ATooLargeCooperativeGridIsNamed) {
    ShapeBuffers buffers = this->buffers(8);
    auto sum = launch("grid_sum", 1024, buffers.outputs()[0].address, buffers.outputs()[0].address + 4);
    sum.grid = {.x = 100'000};
    sum.cooperative = true;
    const auto performed = perform({sum});
    ASSERT_FALSE(performed);
    EXPECT_EQ(performed.error().stage, Stage::launch);
    EXPECT_NE(performed.error().message.find("cudaErrorCooperativeLaunchTooLarge"), std::string::npos)
        << performed.error().message;
    EXPECT_NE(performed.error().message.find(", kernel grid_sum"), std::string::npos);
}

TEST_F(OperationsTest, AQuestionIsAnsweredWithWhatWasPerformedBeforeIt) {
    ShapeBuffers buffers = this->buffers(32);
    const CUdeviceptr out = buffers.outputs()[0].address;
    executor_->start_recipe(PoisonPattern::noise, 1);
    Performance performance = executor_->performance(program_, Seconds(10));
    const auto add = [&](std::vector<recipe::Operation> operations) {
        const auto performed = performance.perform(operations);
        ASSERT_TRUE(performed) << performed.error().message;
    };
    add({recipe::CreateStream{1, false}, recipe::in_stream(1, launch("store_late", 1, out, 5.0f, 3'000'000ULL))});
    const auto first = performance.answer({1, out, 0, {4, 1}});
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(std::memcmp(first->data(), std::vector<float>{5.0f}.data(), 4), 0);

    add({recipe::Fill{0, out, 0, {32, 1}, 3}, recipe::Fill{0, out + 8, 0, {2, 1}, 4}});
    const auto rows = performance.answer({0, out, 8, {2, 3}});
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_EQ(*rows, bytes({3, 3, 4, 4, 3, 3}));
    const auto symbol = performance.answer({0, Symbol{"coefficients", 8}, 0, {4, 1}});
    ASSERT_TRUE(symbol) << symbol.error().message;
    EXPECT_EQ(std::memcmp(symbol->data(), std::vector<float>{3.0f}.data(), 4), 0);
    ASSERT_TRUE(performance.finish());
}

} // namespace
} // namespace cudabench::gpu
