#include "device_code/fat_binary.h"
#include "recipe/validate.h"
#include "record.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sys/wait.h>

namespace cudabench::runtime {
namespace {

using recipe::Address;
using recipe::Operation;
using recipe::Synchronize;
using Scope = recipe::Synchronize::Scope;

constexpr std::uint64_t page = std::uint64_t{2} << 20;

class Runtime : public testing::Test {
protected:
    Recorded run(const std::string& candidate, const std::string& function) {
        hello.call.function = function;
        path = std::string(CUDABENCH_TEST_CANDIDATES) + "/" + candidate + ".so";
        return record(path, hello, answers);
    }

    /// Whether the executor would perform all of it.
    void expect_valid(const Recorded& recorded) const {
        std::ifstream file(path, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        const auto code = device_code::read_shared_object(std::as_bytes(std::span(bytes)));
        ASSERT_TRUE(code) << code.error().message;
        const auto result = recipe::Validator(hello, *code).check_all(recorded.operations);
        ASSERT_TRUE(result) << result.error().message;
    }

    Recorded run_plain(const std::string& function) {
        Recorded recorded = run("plain", function);
        EXPECT_TRUE(recorded.done);
        EXPECT_EQ(recorded.exit_status, 0);
        expect_valid(recorded);
        return recorded;
    }

    [[nodiscard]] Address input() const { return hello.call.buffers[0].address; }
    [[nodiscard]] Address output() const { return hello.call.buffers[1].address; }

    recipe::Hello hello = some_hello();
    Answers answers = [](const recipe::Question&) { return recipe::Answer{cudaErrorNotSupported, {}}; };
    std::string path;
};

TEST_F(Runtime, LaunchesAreRecordedWithShapeAndArguments) {
    const auto recorded = run_plain("launches");
    const auto launches = recorded.all<recipe::Launch>();
    ASSERT_EQ(recorded.operations.size(), 2U);
    ASSERT_EQ(launches.size(), 2U);

    EXPECT_EQ(launches[0].kernel, "_Z5saxpyILi4EEv10Parameters");
    EXPECT_EQ(launches[0].grid, (recipe::Extent{4, 2, 3}));
    EXPECT_EQ(launches[0].block, (recipe::Extent{32, 8, 1}));
    EXPECT_EQ(launches[0].dynamic_shared_bytes, 64U);
    EXPECT_EQ(launches[0].stream, 0U);
    EXPECT_FALSE(launches[0].cooperative);
    struct Parameters {
        Address x;
        Address y;
        std::int64_t n;
        float a;
    } parameters{};
    ASSERT_EQ(launches[0].arguments.size(), 1U);
    ASSERT_EQ(launches[0].arguments[0].size(), sizeof(parameters));
    std::memcpy(&parameters, launches[0].arguments[0].data(), sizeof(parameters));
    EXPECT_EQ(parameters.x, input());
    EXPECT_EQ(parameters.y, output());
    EXPECT_EQ(parameters.n, 1024);
    EXPECT_EQ(parameters.a, 0.5F);

    ASSERT_EQ(launches[1].arguments.size(), 4U);
    EXPECT_NE(launches[1].kernel.find("scale"), std::string::npos);
    EXPECT_EQ(integer(launches[1].arguments[0]), output());
    ASSERT_EQ(launches[1].arguments[1].size(), 1U);
    EXPECT_EQ(integer(launches[1].arguments[1]), std::uint64_t{'c'});
    EXPECT_EQ(std::bit_cast<double>(integer(launches[1].arguments[2])), 2.5);
    ASSERT_EQ(launches[1].arguments[3].size(), 4U);
    EXPECT_EQ(integer(launches[1].arguments[3]), std::bit_cast<std::uint32_t>(0.5F));
}

TEST_F(Runtime, MemoryLiesOnPagesOfItsOwnInTheWorkspace) {
    const auto recorded = run_plain("memory");
    const Address first = hello.workspace.base;
    const Address second = first + 2 * page;
    std::vector<std::byte> data(24);
    const float values[6] = {1, 2, 3, 4, 5, 6};
    std::memcpy(data.data(), values, sizeof values);
    const std::vector<Operation> expected = {
        recipe::Allocate{first, 100},           recipe::Allocate{second, 1024},
        recipe::Fill{0, first, 10, {10, 1}, 7}, recipe::CopyToDevice{0, second, 512, {12, 2}, data},
        Synchronize{Scope::stream, 0},          recipe::CopyOnDevice{0, output(), first, 100, 100, {100, 1}},
        Synchronize{Scope::device, 0},          recipe::Release{second},
    };
    std::vector<Operation> without_launches;
    for (const auto& operation : recorded.operations)
        if (!std::holds_alternative<recipe::Launch>(operation))
            without_launches.push_back(operation);
    EXPECT_EQ(without_launches, expected);
    EXPECT_EQ(recorded.observed(), (std::vector{512, 1}));
}

TEST_F(Runtime, MemoryErrorsAreSeenByHostCodeAndNoted) {
    const auto recorded = run_plain("memory_errors");
    EXPECT_EQ(recorded.observed(),
              (std::vector<int>{cudaErrorInvalidValue, cudaErrorInvalidValue, cudaErrorInvalidValue, cudaSuccess,
                                cudaErrorInvalidValue, cudaSuccess, cudaErrorInvalidValue, cudaErrorInvalidValue,
                                cudaErrorMemoryAllocation, cudaErrorMemoryAllocation, cudaSuccess}));
    EXPECT_EQ(recorded.notes.size(), 7U);
}

TEST_F(Runtime, VariablesGoByTheirNames) {
    constexpr Address counter = 0x230000000000;
    answers = [&](const recipe::Question& question) {
        if (const auto* symbol = std::get_if<recipe::SymbolAddress>(&question)) {
            EXPECT_EQ(symbol->name, "counter");
            recipe::Answer answer{0, std::vector<std::byte>(8)};
            std::memcpy(answer.bytes.data(), &counter, sizeof counter);
            return answer;
        }
        EXPECT_EQ(std::get<recipe::CopyToHost>(question).source, recipe::Place(recipe::Symbol{"counter", 0}));
        return recipe::Answer{0, {std::byte{42}, {}, {}, {}}};
    };
    const auto recorded = run_plain("symbols");
    const auto copies = recorded.all<recipe::CopyToDevice>();
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies[0].destination, recipe::Place(recipe::Symbol{"coefficients", 8}));
    EXPECT_EQ(copies[0].data.size(), 16U);
    const auto fills = recorded.all<recipe::Fill>();
    ASSERT_EQ(fills.size(), 1U);
    EXPECT_EQ(fills[0].destination, recipe::Place(recipe::Symbol{"counter", 0}));
    EXPECT_EQ(recorded.observed(), (std::vector<int>{32, 42, cudaErrorInvalidValue, cudaErrorInvalidSymbol}));
}

TEST_F(Runtime, StreamsAndEventsAreRecordedAsOrder) {
    const auto recorded = run_plain("order");
    std::vector<Operation> order;
    for (const auto& operation : recorded.operations)
        if (!std::holds_alternative<recipe::Launch>(operation))
            order.push_back(operation);
    const std::vector<Operation> expected = {
        recipe::CreateStream{1, true}, recipe::CreateStream{2, false}, recipe::RecordEvent{1, 0},
        recipe::WaitEvent{2, 0},       recipe::CreateStream{3, true},  Synchronize{Scope::stream, 2},
        Synchronize{Scope::event, 0},  Synchronize{Scope::device, 0},
    };
    EXPECT_EQ(order, expected);
    std::vector<recipe::StreamId> streams;
    for (const auto& launch : recorded.all<recipe::Launch>())
        streams.push_back(launch.stream);
    EXPECT_EQ(streams, (std::vector<recipe::StreamId>{1, 2, 3, 0, 0, 0}));
    EXPECT_EQ(recorded.observed(),
              (std::vector<int>{1, 2, 3, 1, cudaErrorInvalidResourceHandle, cudaErrorInvalidResourceHandle}));
}

TEST_F(Runtime, LaunchErrorsAreFoundAtTheCall) {
    const auto recorded = run_plain("launch_errors");
    EXPECT_EQ(recorded.observed(), (std::vector<int>{cudaErrorInvalidConfiguration, cudaErrorInvalidConfiguration,
                                                     cudaErrorInvalidConfiguration, cudaErrorLaunchOutOfResources,
                                                     cudaErrorLaunchOutOfResources, cudaErrorInvalidValue,
                                                     cudaErrorInvalidValue, cudaSuccess, cudaSuccess,
                                                     cudaErrorInvalidDeviceFunction, cudaErrorInvalidResourceHandle}));
    const auto launches = recorded.all<recipe::Launch>();
    EXPECT_EQ(launches.size() - recorded.observed().size(), 1U) << "only the launch that fits is recorded";
    ASSERT_FALSE(recorded.notes.empty());
    EXPECT_EQ(recorded.notes[0], "cudaErrorInvalidConfiguration: launch of _Z7observei: block (1025, 1, 1)");
}

TEST_F(Runtime, CooperativeGridsMustFitTheDevice) {
    const auto recorded = run_plain("cooperative");
    EXPECT_EQ(recorded.observed(), (std::vector<int>{2, cudaSuccess, cudaErrorCooperativeLaunchTooLarge}));
    std::vector<std::uint32_t> grids;
    for (const auto& launch : recorded.all<recipe::Launch>())
        if (launch.cooperative)
            grids.push_back(launch.grid.x);
    EXPECT_EQ(grids, (std::vector<std::uint32_t>{264, 2}));
}

TEST_F(Runtime, CopiesToTheHostAreAskedForAfterTheOperationsBefore) {
    answers = [&](const recipe::Question& question) {
        const auto& copy = std::get<recipe::CopyToHost>(question);
        EXPECT_EQ(copy.source, recipe::Place(output()));
        EXPECT_EQ(copy.region, (recipe::Region{12, 1}));
        recipe::Answer answer{0, std::vector<std::byte>(12)};
        const int values[3] = {5, 6, 7};
        std::memcpy(answer.bytes.data(), values, sizeof values);
        return answer;
    };
    const auto recorded = run_plain("partial_sum");
    ASSERT_EQ(recorded.operations.size(), 3U);
    EXPECT_TRUE(std::holds_alternative<recipe::CopyToHost>(recorded.operations[1]));
    EXPECT_TRUE((recipe::Recipe{recorded.operations}.host_dependent()));
    EXPECT_EQ(recorded.observed(), (std::vector{1, 18}));
}

TEST_F(Runtime, AFailedAnswerIsTheErrorOfTheCopy) {
    answers = [](const recipe::Question&) { return recipe::Answer{cudaErrorIllegalAddress, {}}; };
    const auto recorded = run_plain("partial_sum");
    EXPECT_EQ(recorded.observed(), (std::vector{1, 0}));
    ASSERT_EQ(recorded.notes.size(), 1U);
    EXPECT_EQ(recorded.notes[0], "cudaErrorIllegalAddress: the work before a copy to the host failed");
}

TEST_F(Runtime, LargeCopiesAreSplit) {
    answers = [](const recipe::Question& question) {
        const auto& region = std::get<recipe::CopyToHost>(question).region;
        return recipe::Answer{
            0, std::vector<std::byte>(region.row_bytes, region.row_bytes == 5 ? std::byte{2} : std::byte{1})};
    };
    const auto recorded = run_plain("large_copies");
    const auto copies = recorded.all<recipe::CopyToDevice>();
    ASSERT_EQ(copies.size(), 2U);
    EXPECT_EQ(copies[0].data.size(), recipe::max_copy_bytes);
    EXPECT_EQ(copies[0].data.back(), std::byte{3});
    EXPECT_EQ(copies[1].destination, recipe::Place(hello.workspace.base + recipe::max_copy_bytes));
    EXPECT_EQ(copies[1].data.back(), std::byte{9});
    EXPECT_EQ(recorded.observed(), (std::vector{1, 2}));
}

TEST_F(Runtime, TheDeviceIsTheOneOfTheHello) {
    const auto recorded = run_plain("device");
    EXPECT_EQ(recorded.observed(), (std::vector<int>{132, 90, 0, 232'448, 62'914'560, cudaErrorInvalidDevice, 90, 90,
                                                     128, 4096, 49'152 - 4096, 0, 0, cudaMemoryTypeDevice,
                                                     cudaMemoryTypeUnregistered, static_cast<int>(page)}));
}

TEST_F(Runtime, AnUnsupportedCallEndsTheProcessWithItsName) {
    const auto recorded = run("plain", "unsupported");
    EXPECT_EQ(recorded.unsupported, "cudaIpcGetMemHandle");
    EXPECT_FALSE(recorded.done);
    EXPECT_EQ(recorded.observed(), (std::vector{1}));
    EXPECT_EQ(WEXITSTATUS(recorded.exit_status), 3);
}

TEST_F(Runtime, AnUnsupportedAttributeIsNamed) {
    EXPECT_EQ(run("plain", "unsupported_attribute").unsupported,
              "cudaLaunchKernelExC with cudaLaunchAttributeProgrammaticEvent");
}

TEST_F(Runtime, PerThreadDefaultStreamIsAStreamOfItsOwn) {
    const auto recorded = run("per_thread", "cudabench_call");
    EXPECT_TRUE(recorded.done);
    expect_valid(recorded);
    ASSERT_EQ(recorded.operations.size(), 6U);
    EXPECT_EQ(recorded.operations[0], Operation(recipe::CreateStream{1, true}));
    EXPECT_EQ(std::get<recipe::Launch>(recorded.operations[1]).stream, 1U);
    EXPECT_EQ(std::get<recipe::CopyToDevice>(recorded.operations[2]).stream, 1U);
    EXPECT_EQ(recorded.operations[3], Operation(Synchronize{Scope::stream, 1}));
    EXPECT_EQ(std::get<recipe::Fill>(recorded.operations[4]).stream, 0U);
    EXPECT_EQ(recorded.operations[5], Operation(Synchronize{Scope::stream, 1}));
}

TEST_F(Runtime, CubRadixSortRecordsItsKernels) {
    hello.call.dims = {1 << 17};
    const auto recorded = run("radix_sort", "cudabench_call");
    ASSERT_TRUE(recorded.done) << recorded.unsupported.value_or("");
    EXPECT_TRUE(recorded.notes.empty()) << recorded.notes.front();
    expect_valid(recorded);
    // 32-bit keys, 8 bits a pass: a histogram, an exclusive sum and four passes of onesweep.
    int passes = 0;
    for (const auto& launch : recorded.all<recipe::Launch>())
        passes += launch.kernel.find("Onesweep") != std::string::npos ? 1 : 0;
    EXPECT_EQ(passes, 4);
    EXPECT_EQ(recorded.all<recipe::Allocate>().size(), 1U);
}

TEST_F(Runtime, RelocatableCodeIsRecordedAsItWasLinked) {
    for (const auto& [function, kernel] :
         {std::pair{"separate_compilation", "_Z6linearPKfPfi"}, {"kernel_from_kernel", "_Z14starts_anotherPKfPfi"}}) {
        const auto recorded = run("relocatable", function);
        ASSERT_TRUE(recorded.done) << recorded.unsupported.value_or("");
        expect_valid(recorded);
        const auto launches = recorded.all<recipe::Launch>();
        ASSERT_EQ(launches.size(), 1U);
        EXPECT_EQ(launches[0].kernel, kernel);
        ASSERT_EQ(launches[0].arguments.size(), 3U);
        EXPECT_EQ(integer(launches[0].arguments[1]), output());
    }
}

} // namespace
} // namespace cudabench::runtime
