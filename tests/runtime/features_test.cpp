#include "device_code/fat_binary.h"
#include "recipe/validate.h"
#include "record.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace cudabench::runtime {
namespace {

using recipe::Operation;
using recipe::Place;

template <typename Value> std::vector<std::byte> bytes_of(const Value& value) {
    std::vector<std::byte> bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

float float_at(const std::vector<std::byte>& bytes, std::size_t index) {
    float value = 0;
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return value;
}

/// Records one function of features.cu, without a device.
class Features : public testing::Test {
protected:
    Recorded run(const std::string& function) {
        hello.call.function = function;
        hello.call.dims = {4096};
        const std::string path = std::string(CUDABENCH_TEST_CANDIDATES) + "/features.so";
        Recorded recorded = record(path, hello, answers);
        EXPECT_TRUE(recorded.done) << recorded.unsupported.value_or("no word") << ", status " << recorded.exit_status;
        EXPECT_TRUE(recorded.notes.empty()) << recorded.notes.front();
        expect_valid(recorded, path);
        return recorded;
    }

    void expect_valid(const Recorded& recorded, const std::string& path) const {
        std::ifstream file(path, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        const auto code = device_code::read_shared_object(std::as_bytes(std::span(bytes)));
        ASSERT_TRUE(code) << code.error().message;
        const auto result = recipe::Validator(hello, *code).check_all(recorded.operations);
        ASSERT_TRUE(result) << result.error().message;
    }

    [[nodiscard]] recipe::Address workspace() const { return hello.workspace.base; }

    recipe::Hello hello = some_hello();
    int textures = 0;
    /// A device whose memory is full of 2.0F, and that makes objects of handle 77.
    Answers answers = [this](const recipe::Question& question) {
        if (const auto* copy = std::get_if<recipe::CopyToHost>(&question)) {
            const std::vector<float> twos(copy->region.row_bytes * copy->region.rows / sizeof(float), 2.0F);
            const auto bytes = std::as_bytes(std::span(twos));
            return recipe::Answer{0, {bytes.begin(), bytes.end()}};
        }
        if (std::holds_alternative<recipe::TensorMap>(question))
            return recipe::Answer{0, std::vector<std::byte>(recipe::TensorMap::bytes, std::byte{9})};
        if (const auto* symbol = std::get_if<recipe::SymbolAddress>(&question))
            return recipe::Answer{0, bytes_of(0x230000000000 + 64 * symbol->name.size())};
        textures += std::holds_alternative<recipe::CreateTexture>(question) ? 1 : 0;
        return recipe::Answer{0, bytes_of(std::uint64_t{77})};
    };
};

TEST_F(Features, SharedMemoryBeyondTheDefaultIsAskedFor) {
    EXPECT_EQ(run("large_shared_memory").all<recipe::Launch>().at(0).dynamic_shared_bytes, 102'400U);
}

TEST_F(Features, PoolsAreOrdinaryMemory) {
    const auto recorded = run("pools");
    EXPECT_EQ(recorded.all<recipe::Allocate>().size(), 2U);
    EXPECT_EQ(recorded.all<recipe::CopyOnDevice>().size(), 2U);
    EXPECT_EQ(integer(recorded.all<recipe::Launch>().at(0).arguments.at(4)), 0x3f800000U) << "the attribute came back";
}

TEST_F(Features, SlicesThatFollowOneAnotherAreOneCopy) {
    const auto copies = run("copies_in_three_dimensions").all<recipe::CopyOnDevice>();
    ASSERT_EQ(copies.size(), 3U);
    EXPECT_EQ(copies[0].region, (recipe::Region{64, 256}));
    EXPECT_EQ(copies[0].destination_pitch, 512U);
    EXPECT_EQ(copies[2].region, (recipe::Region{64, 128}));
    EXPECT_EQ(copies[2].source, Place(workspace() + 8 * 16 * 512));
}

TEST_F(Features, HostFunctionsRunBeforeWhatComesAfter) {
    EXPECT_EQ(integer(run("host_function").all<recipe::Launch>().at(0).arguments.at(3)), 0x40000000U);
}

TEST_F(Features, ManagedMemoryIsSentBeforeALaunchAndFetchedWhenLookedAt) {
    const auto recorded = run("managed");
    EXPECT_TRUE(recipe::Recipe{recorded.operations}.host_dependent());
    const auto sent = recorded.all<recipe::CopyToDevice>();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].destination, Place(workspace()));
    EXPECT_EQ(sent[0].data.size(), 65'536U) << "one chunk";
    EXPECT_EQ(float_at(sent[0].data, 0), 1.0F);
    EXPECT_EQ(float_at(sent[1].data, 0), 2.0F) << "as it was fetched";
    EXPECT_EQ(float_at(sent[1].data, 1), 1.0F);
    EXPECT_EQ(recorded.all<recipe::CopyToHost>().size(), 1U) << "all of the block at once";
}

TEST_F(Features, ManagedMemoryThatIsNotLookedAtLeavesTheRecipeIndependent) {
    const auto recorded = run("managed_without_looking");
    EXPECT_FALSE(recipe::Recipe{recorded.operations}.host_dependent());
    const auto sent = recorded.all<recipe::CopyToDevice>();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].data.size(), 16'384U);
    EXPECT_EQ(float_at(sent[0].data, 4095), 2.0F);
}

TEST_F(Features, ManagedVariablesLieAtOneAddress) {
    const auto recorded = run("managed_variables");
    const auto launches = recorded.all<recipe::Launch>();
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_GE(integer(launches[0].arguments.at(3)), 0x230000000000U);
    EXPECT_FALSE(recorded.all<recipe::CopyToDevice>().empty());
    EXPECT_FALSE(recorded.all<recipe::CopyToHost>().empty()); // one has a value to start with
}

TEST_F(Features, ZeroCopyMemoryBelongsToTheKernelAndToHostCode) {
    const auto recorded = run("zero_copy");
    EXPECT_EQ(integer(recorded.all<recipe::Launch>().at(0).arguments.at(0)), workspace() + 4);
    EXPECT_EQ(recorded.all<recipe::CopyToHost>().size(), 1U);
}

TEST_F(Features, PinnedMemoryIsSentOnceAnArgumentPointsIntoIt) {
    const auto recorded = run("pinned_by_its_pointer");
    const auto sent = recorded.all<recipe::CopyToDevice>();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(float_at(sent[0].data, 1), 1.0F);
    EXPECT_FALSE(recipe::Recipe{recorded.operations}.host_dependent());
}

TEST_F(Features, PinnedMemoryOfCopiesIsHostMemory) {
    const auto recorded = run("pinned_staging");
    EXPECT_EQ(recorded.all<recipe::CopyToHost>().size(), 1U);
    const auto sent = recorded.all<recipe::CopyToDevice>();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(float_at(sent[0].data, 7), 5.0F);
}

TEST_F(Features, ClustersAndProgrammaticLaunchesAreRecorded) {
    EXPECT_EQ(run("clusters").all<recipe::Launch>().at(0).cluster, (recipe::Extent{4, 1, 1}));
    EXPECT_EQ(run("large_clusters").all<recipe::Launch>().at(0).cluster, (recipe::Extent{16, 1, 1}));
    EXPECT_EQ(run("declared_clusters").all<recipe::Launch>().at(0).cluster, (recipe::Extent{0, 0, 0}));
    const auto launches = run("programmatic_launch").all<recipe::Launch>();
    EXPECT_FALSE(launches.at(0).programmatic);
    EXPECT_TRUE(launches.at(1).programmatic);
}

TEST_F(Features, TexturesAreMadeByTheExecutor) {
    for (const char* function : {"texture_of_memory", "texture_of_rows"})
        EXPECT_EQ(integer(run(function).all<recipe::Launch>().at(0).arguments.at(0)), 77U);
    EXPECT_EQ(textures, 2);
    const auto recorded = run("texture_of_an_array");
    EXPECT_EQ(recorded.all<recipe::AllocateArray>().at(0), (recipe::AllocateArray{0, 64, 64, 0, {0x20, 1}, 0}));
    EXPECT_EQ(recorded.all<recipe::CopyOnDevice>().at(0).destination, Place(recipe::InArray{0, 0, 0, 0}));
    EXPECT_EQ(run("surface_of_a_volume").all<recipe::CopyOnDevice>().size(), 16U) << "one a slice";
}

TEST_F(Features, EachLaunchOfAGraphRecordsItsWorkAnew) {
    const auto recorded = run("captured_graph");
    EXPECT_EQ(recorded.all<recipe::Launch>().size(), 1U + 4 * 2);
    EXPECT_EQ(recorded.all<recipe::CreateStream>().size(), 3U) << "one stands for the branch";
    EXPECT_EQ(recorded.all<recipe::Launch>().at(2).stream, 3U);
}

TEST_F(Features, MemoryOfAGraphIsThereInEachLaunch) {
    const auto recorded = run("graph_with_memory");
    ASSERT_EQ(recorded.all<recipe::Allocate>().size(), 1U);
    EXPECT_TRUE(recorded.all<recipe::Release>().empty());
    const auto launches = recorded.all<recipe::Launch>();
    ASSERT_EQ(launches.size(), 4U);
    EXPECT_EQ(integer(launches[2].arguments.at(1)), recorded.all<recipe::Allocate>()[0].address);
    EXPECT_EQ(float_at(launches[1].arguments.at(4), 0), 1.0F) << "nodes of the graph";
}

TEST_F(Features, NodesFollowTheirDependencies) {
    const auto recorded = run("graph_by_hand");
    std::vector<std::size_t> kinds;
    for (const Operation& operation : recorded.operations)
        kinds.push_back(operation.index());
    const std::vector<Operation> expected = {recipe::Allocate{}, recipe::Fill{},       recipe::CopyOnDevice{},
                                             recipe::Launch{},   recipe::Fill{},       recipe::CopyOnDevice{},
                                             recipe::Launch{},   recipe::Synchronize{}};
    std::vector<std::size_t> expected_kinds;
    for (const Operation& operation : expected)
        expected_kinds.push_back(operation.index());
    EXPECT_EQ(kinds, expected_kinds);
}

TEST_F(Features, TensorMapsGoToTheKernelAsTheExecutorEncodedThem) {
    for (const char* function : {"tensor_map", "tensor_map_by_name"})
        EXPECT_EQ(run(function).all<recipe::Launch>().at(0).arguments.at(0),
                  std::vector<std::byte>(recipe::TensorMap::bytes, std::byte{9}));
}

TEST_F(Features, SourcesForEarlierToolkitsAreRecorded) {
    hello.call.function = "cudabench_call";
    const Recorded recorded = record(std::string(CUDABENCH_TEST_CANDIDATES) + "/earlier.so", hello, answers);
    EXPECT_TRUE(recorded.done) << recorded.unsupported.value_or("");
    EXPECT_TRUE(recorded.notes.empty()) << recorded.notes.front();
    EXPECT_EQ(recorded.all<recipe::Fill>().size(), 1U);
}

} // namespace
} // namespace cudabench::runtime
