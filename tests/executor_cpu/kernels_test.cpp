#include "executor/cpu/performance.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <gmock/gmock.h>
#include <numeric>

namespace cudabench::cpu {
namespace {

using testing::HasSubstr;

constexpr Address first_buffer = 0x200000000000;
constexpr Address second_buffer = 0x210000000000;

template <typename T> std::vector<std::byte> argument(const T& value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

/// Each on one and on two threads of the host.
class Kernels : public testing::TestWithParam<unsigned> {
protected:
    void SetUp() override {
        auto loaded = Program::load(CUDABENCH_TEST_KERNELS);
        ASSERT_TRUE(loaded) << loaded.error().message;
        program_ = std::make_unique<Program>(std::move(*loaded));
        program_->place_globals(memory_);
    }

    /// Integers in device memory.
    std::span<int> buffer(Address address, std::size_t size, bool writable = true) {
        memory_.map(address, size * sizeof(int), writable, address == first_buffer ? "first" : "second", 0);
        return {reinterpret_cast<int*>(memory_.at(address, size * sizeof(int))), size};
    }

    template <typename... T>
    std::string launch(const char* kernel, std::uint32_t blocks, std::uint32_t threads, const T&... arguments) {
        recipe::Launch operation;
        operation.kernel = kernel;
        operation.grid.x = blocks;
        operation.block.x = threads;
        operation.cooperative = cooperative_;
        operation.arguments = {argument(arguments)...};
        How how;
        how.threads = GetParam();
        how.warp_steps = 20'000'000;
        how.time = time_;
        Performance performance(memory_, *program_, how);
        const std::vector<recipe::Operation> operations = {operation};
        const auto done = performance.perform(operations);
        printed_ = *performance.finish();
        return done ? "" : done.error().message;
    }

    Memory memory_;
    std::unique_ptr<Program> program_;
    bool cooperative_ = false;
    std::chrono::duration<double> time_ = How().time;
    std::string printed_;
};

INSTANTIATE_TEST_SUITE_P(HostThreads, Kernels, testing::Values(1U, 2U));

TEST_P(Kernels, LanesOfAWarpTakeALockInTurns) {
    const auto lock = buffer(first_buffer, 1);
    const auto count = buffer(second_buffer, 1);
    EXPECT_EQ(launch("spin_lock", 4, 64, first_buffer, second_buffer), "");
    EXPECT_EQ(count[0], 256);
    EXPECT_EQ(lock[0], 0);
}

TEST_P(Kernels, BlocksOfACooperativeGridMeet) {
    constexpr int n = 10'000;
    const auto in = buffer(first_buffer, n, false);
    std::iota(in.begin(), in.end(), -100);
    const auto out = buffer(second_buffer, 2);
    cooperative_ = true;
    EXPECT_EQ(launch("grid_reduction", 12, 128, first_buffer, second_buffer, n), "");
    const int sum = std::accumulate(in.begin(), in.end(), 0);
    EXPECT_EQ(out[0], sum);
    EXPECT_EQ(out[1], 2 * sum);
}

TEST_P(Kernels, DivergedLanesReduceAmongThemselves) {
    constexpr int n = 1000;
    const auto in = buffer(first_buffer, n, false);
    std::iota(in.begin(), in.end(), 0);
    const auto out = buffer(second_buffer, 1);
    EXPECT_EQ(launch("coalesced_reduction", 4, 256, first_buffer, second_buffer, n), "");
    EXPECT_EQ(out[0], 3 * (333 * 334 / 2));
}

TEST_P(Kernels, ExitedLanesCountAsArrived) {
    const auto out = buffer(first_buffer, 64);
    EXPECT_EQ(launch("after_exits", 1, 64, first_buffer), "");
    EXPECT_EQ(out[0], 20);
    EXPECT_EQ(out[51], 20);
    EXPECT_EQ(out[20], 0);
}

TEST_P(Kernels, CallsRecurseAndGoThroughPointers) {
    const auto out = buffer(first_buffer, 64);
    EXPECT_EQ(launch("calls", 1, 64, first_buffer), "");
    const auto factorial = [](int n) {
        int product = 1;
        for (int i = 2; i <= n; ++i)
            product *= i;
        return product;
    };
    for (int i = 0; i < 64; ++i)
        EXPECT_EQ(out[static_cast<std::size_t>(i)], (i % 2 == 0 ? factorial(i % 11) : 2 * (i % 11)) + factorial(i % 7));
    EXPECT_EQ(printed_, "lane 3: 1.50 text\n");
}

TEST_P(Kernels, BlocksThatWaitForTheirPredecessorsProceed) {
    (void)buffer(first_buffer, 200);
    const auto out = buffer(second_buffer, 200);
    EXPECT_EQ(launch("chain", 200, 32, first_buffer, second_buffer), "");
    EXPECT_EQ(out[199], 200);
}

TEST_P(Kernels, AsynchronousCopiesArrive) {
    const auto in = buffer(first_buffer, 192, false);
    std::iota(in.begin(), in.end(), 5);
    const auto out = buffer(second_buffer, 192);
    for (const char* const kernel : {"copies_by_barrier", "copies_in_bulk", "copies_by_pipeline"}) {
        std::ranges::fill(out, 0);
        EXPECT_EQ(launch(kernel, 1, 64, first_buffer, second_buffer), "") << kernel;
        for (std::size_t i = 0; i < out.size(); ++i)
            EXPECT_EQ(out[i], static_cast<int>(5 + (i ^ 1))) << kernel;
    }
    EXPECT_THAT(launch("bulk_of", 1, 1, first_buffer, second_buffer, 10), HasSubstr("multiple of 16"));
}

TEST_P(Kernels, AccessesOutOfBoundsAreFound) {
    (void)buffer(first_buffer, 10, false);
    (void)buffer(second_buffer, 10);
    EXPECT_EQ(launch("read_at", 1, 1, first_buffer, second_buffer, 9), "");
    EXPECT_THAT(launch("read_at", 1, 1, first_buffer, second_buffer, 10),
                AllOf(HasSubstr("illegal memory access: read of 4 bytes"), HasSubstr("0 bytes behind the end of first"),
                      HasSubstr("kernel read_at"), HasSubstr("block (0, 0, 0), thread (0, 0, 0)")));
    EXPECT_THAT(launch("read_at", 1, 1, first_buffer, second_buffer, -1), HasSubstr("before the start of first"));
    EXPECT_THAT(launch("write_at", 1, 1, second_buffer, 1 << 20), HasSubstr("illegal memory access: write"));
    EXPECT_THAT(launch("write_at", 1, 1, first_buffer, 0), HasSubstr("in first, which must not be written"));
    EXPECT_EQ(launch("shared_at", 1, 32, second_buffer, 31), "");
    EXPECT_THAT(launch("shared_at", 1, 32, second_buffer, 32), HasSubstr("shared memory, which has 128 bytes"));
    EXPECT_THAT(launch("misaligned", 1, 1, first_buffer, second_buffer), HasSubstr("misaligned address"));
}

TEST_P(Kernels, ThreadsThatNeverEndAreFound) {
    (void)buffer(first_buffer, 64);
    EXPECT_THAT(launch("lonely_barrier", 1, 64, first_buffer), HasSubstr("wait for each other for ever"));
    EXPECT_THAT(launch("endless", 1, 1, first_buffer), HasSubstr("did not end"));
}

TEST_P(Kernels, TrapsAndFailedAssertionsAreNamed) {
    (void)buffer(first_buffer, 1);
    EXPECT_THAT(launch("traps", 1, 1), HasSubstr("trap; kernel traps"));
    EXPECT_THAT(launch("asserts", 1, 1, first_buffer), HasSubstr("assertion `out == nullptr` failed"));
}

TEST_P(Kernels, WidthsOfPrintedFieldsAreBounded) {
    EXPECT_EQ(launch("wide_fields", 1, 1), "");
    EXPECT_EQ(printed_, std::string(511, ' ') + "7|+7   |0.25" + std::string(510, '0') + "|0.500000|9   ");
}

TEST_P(Kernels, PrintingEndsAtTheTimeLimit) {
    const auto text = buffer(first_buffer, 1024);
    std::ranges::fill(text, 0x78787878);
    time_ = std::chrono::milliseconds(200);
    EXPECT_THAT(launch("endless_prints", 1, 1024, first_buffer), HasSubstr("did not end within"));
}

TEST_P(Kernels, AssertionsDoNotSteerTerminals) {
    EXPECT_THAT(launch("steering_assertion", 1, 1), HasSubstr("assertion `?[31m ??1m` failed (a?file:3)"));
}

TEST_P(Kernels, CopiesOfManyRowsEndAtTheTimeLimit) {
    (void)buffer(first_buffer, 1024);
    How how;
    how.time = std::chrono::milliseconds(50);
    Performance performance(memory_, *program_, how);
    recipe::Fill fill{.stream = 0, .destination = first_buffer, .pitch = 0, .region = {1, std::uint64_t{1} << 40}};
    const std::vector<recipe::Operation> operations = {fill};
    const auto done = performance.perform(operations);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().stage, Stage::launch);
    EXPECT_THAT(done.error().message, HasSubstr("did not end"));
}

TEST_P(Kernels, ArgumentsThatThePtxDoesNotKnowAreTheCandidatesFault) {
    EXPECT_THAT(launch("traps", 1, 1, first_buffer), HasSubstr("other parameters than its machine code"));
    EXPECT_THAT(launch("asserts", 1, 1, std::array<Address, 2>{}), HasSubstr("other parameters"));
}

} // namespace
} // namespace cudabench::cpu
