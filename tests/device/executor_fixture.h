#pragma once

#include "executor/gpu/executor.h"
#include "recipe_builder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace cudabench::gpu {

/// An executor, the kernels of the test's module, and buffers.
class ExecutorTest : public testing::Test {
protected:
    static std::unique_ptr<Executor> created() {
        auto executor = Executor::create();
        if (!executor)
            throw std::runtime_error(executor.error().message);
        return std::move(*executor);
    }

    static Program loaded(const Executor& executor) {
        auto program = executor.load(DEVICE_TEST_MODULE);
        if (!program)
            throw std::runtime_error(program.error().message);
        return std::move(*program);
    }

    /// One input and one output of so many bytes each.
    [[nodiscard]] ShapeBuffers buffers(std::uint64_t bytes, Placement placement = Placement::at_end) const {
        const std::vector<std::uint64_t> sizes{bytes};
        return executor_->buffers(sizes, sizes, placement);
    }

    Expected<std::string, Failure> perform(std::vector<recipe::Operation> operations, Seconds limit = Seconds(20)) {
        executor_->start_recipe(PoisonPattern::not_a_number, 1);
        return executor_->perform(program_, recipe::Recipe{std::move(operations)}, limit);
    }

    void expect_performed(std::vector<recipe::Operation> operations) {
        const auto performed = perform(std::move(operations));
        ASSERT_TRUE(performed) << performed.error().message;
    }

    /// The operations end in an illegal memory access of `kernel`.
    void expect_illegal_access(const std::string& kernel, std::vector<recipe::Operation> operations) {
        const auto performed = perform(std::move(operations));
        ASSERT_FALSE(performed);
        EXPECT_EQ(performed.error().stage, Stage::launch);
        EXPECT_EQ(performed.error().message,
                  "CUDA error 700 (cudaErrorIllegalAddress / CUDA_ERROR_ILLEGAL_ADDRESS): an illegal memory access was "
                  "encountered, kernel " +
                      kernel);
        EXPECT_TRUE(driver::lost());
    }

    template <typename T> std::vector<T> read(CUdeviceptr address, std::size_t count) const {
        std::vector<T> values(count);
        executor_->read(address, std::as_writable_bytes(std::span(values)));
        return values;
    }

    const std::unique_ptr<Executor> executor_ = created();
    Program program_ = loaded(*executor_);
};

} // namespace cudabench::gpu
