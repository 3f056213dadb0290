#include "executor_fixture.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace cudabench::gpu {
namespace {

using recipe::launch;

class StateTest : public ExecutorTest {
protected:
    /// The mangled name of a kernel in an anonymous namespace holds a hash of its file.
    [[nodiscard]] std::string kernel_with(const std::string& part) const {
        for (const auto& binary : program_.code())
            for (const auto& kernel : binary.kernels)
                if (kernel.name.find(part) != std::string::npos)
                    return kernel.name;
        return "";
    }
};

TEST_F(StateTest, GlobalsOfEveryKindStartAnew) {
    ShapeBuffers buffers = this->buffers(16);
    const CUdeviceptr out = buffers.outputs()[0].address;
    const std::vector<recipe::Operation> operations{launch(kernel_with("count_hidden"), 1, out)};
    const auto counts = [&] {
        expect_performed(operations);
        return read<int>(out, 4);
    };
    EXPECT_EQ(counts(), (std::vector<int>{101, 1, 8, 2}));
    EXPECT_EQ(counts(), (std::vector<int>{102, 2, 9, 2})) << "state persists unless it is restored";

    const auto constants = program_.global("coefficients");
    ASSERT_TRUE(constants);
    EXPECT_EQ(constants->bytes, 16u);
    const std::vector<float> others{9, 9, 9, 9};
    executor_->write(constants->address, std::as_bytes(std::span(others)));
    EXPECT_EQ(counts(), (std::vector<int>{103, 3, 10, 9}));

    executor_->restart_recipe(program_, PoisonPattern::noise, 1);
    EXPECT_EQ(counts(), (std::vector<int>{101, 1, 8, 2}));
}

TEST_F(StateTest, GlobalsAreFoundByTheNamesOfTheDeviceCode) {
    EXPECT_TRUE(program_.global("exported"));
    EXPECT_FALSE(program_.global("no_such"));
    const auto names = [&](const std::string& part) {
        for (const auto& binary : program_.code())
            for (const auto& variable : binary.variables)
                if (variable.name.find(part) != std::string::npos)
                    return variable.name;
        return std::string();
    };
    EXPECT_TRUE(program_.global(names("calls"))) << "a static variable in a function";
    EXPECT_TRUE(program_.global(names("hidden"))) << "in an anonymous namespace";
}

TEST_F(StateTest, AllocatedMemoryIsPoisonedBeforeEachPerformance) {
    const recipe::Address base = executor_->workspace().base;
    const std::uint64_t page = executor_->workspace().granularity;
    ShapeBuffers buffers = this->buffers(8);
    const CUdeviceptr out = buffers.outputs()[0].address;
    const std::vector<recipe::Operation> operations{recipe::Allocate{base, page + 1},
                                                    recipe::Allocate{base + 4 * page, 64},
                                                    recipe::Release{base},
                                                    launch("load_at", 1, base, 0LL, out),
                                                    launch("store_at", 1, base, 0LL, 1.0f),
                                                    launch("store_at", 1, base + 4 * page, 0LL, 1.0f),
                                                    launch("load_at", 1, base, 0LL, out + 4)};
    expect_performed(operations);
    EXPECT_TRUE(std::isnan(read<float>(out, 2)[0]));
    EXPECT_EQ(read<float>(out, 2)[1], 1.0f);
    EXPECT_EQ(executor_->workspace_memory().mapped_bytes(), 3 * page);

    executor_->restart_recipe(program_, PoisonPattern::not_a_number, 2);
    const auto again = executor_->perform(program_, recipe::Recipe{operations}, Seconds(10));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(std::isnan(read<float>(out, 2)[0]));
    EXPECT_EQ(executor_->workspace_memory().mapped_bytes(), 3 * page);
}

TEST_F(StateTest, AllocationsThatOverlapMappedPagesMapOnlyTheRest) {
    const recipe::Address base = executor_->workspace().base;
    const std::uint64_t page = executor_->workspace().granularity;
    Workspace& workspace = executor_->workspace_memory();
    workspace.allocate({base + 2 * page, page});
    workspace.allocate({base, 5 * page});
    workspace.allocate({base + page + 1, 2});
    EXPECT_EQ(workspace.mapped_bytes(), 5 * page);
    EXPECT_THROW(workspace.allocate({base - page, page}), std::logic_error);
    EXPECT_THROW(workspace.allocate({base + AddressRange::workspace_span - page, 2 * page}), std::logic_error);
    EXPECT_THROW(workspace.allocate({base + page, ~std::uint64_t{0}}), std::logic_error);
    workspace.clear();
    EXPECT_EQ(workspace.mapped_bytes(), 0u);
}

TEST_F(StateTest, AModuleWithoutTheFileSaysSo) {
    const auto program = executor_->load("no/such/module.so");
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().stage, Stage::fault);
    EXPECT_EQ(program.error().message, "cannot read no/such/module.so");
}

} // namespace
} // namespace cudabench::gpu
