#include "device/described.h"
#include "recording_fixture.h"

#include <cstring>
#include <gmock/gmock.h>

namespace cudabench::recorder {
namespace {

using testing::HasSubstr;

class CompiledByNvcc : public RecordingTest {
protected:
    CompiledByNvcc() {
        setup.device = device::h200();
        call.buffers = {{buffer, 1 << 20, false}, {buffer + (1 << 20), 1 << 20, true}};
        call.dims = {1000};
        call.params = {2.5};
    }
};

template <typename Value> Value read(const std::vector<std::byte>& bytes) {
    Value value{};
    EXPECT_EQ(bytes.size(), sizeof value);
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
}

TEST_F(CompiledByNvcc, RecordsALaunch) {
    const Recording recording = run("compiled_by_nvcc", "launch_saxpy");
    ASSERT_FALSE(recording.failure) << recording.failure->message;
    ASSERT_EQ(recording.recipe.operations.size(), 1U);
    const auto& launch = std::get<recipe::Launch>(recording.recipe.operations[0]);
    EXPECT_EQ(launch.kernel, "_Z5saxpyPKfPfif");
    EXPECT_EQ(launch.grid, (recipe::Extent{4, 1, 1}));
    EXPECT_EQ(launch.block, (recipe::Extent{256, 1, 1}));
    ASSERT_EQ(launch.arguments.size(), 4U);
    EXPECT_EQ(read<recipe::Address>(launch.arguments[0]), buffer);
    EXPECT_EQ(read<recipe::Address>(launch.arguments[1]), buffer + (1 << 20));
    EXPECT_EQ(read<int>(launch.arguments[2]), 1000);
    EXPECT_EQ(read<float>(launch.arguments[3]), 2.5F);
}

TEST_F(CompiledByNvcc, RecordsTheHostCodeOfALibrary) {
    const Recording recording = run("compiled_by_nvcc", "reduce_by_cub");
    ASSERT_FALSE(recording.failure) << recording.failure->message;
    std::size_t launches = 0;
    for (const recipe::Operation& operation : recording.recipe.operations)
        if (const auto* launch = std::get_if<recipe::Launch>(&operation)) {
            EXPECT_THAT(launch->kernel, HasSubstr("DeviceReduce"));
            ++launches;
        }
    EXPECT_GE(launches, 1U);
}

} // namespace
} // namespace cudabench::recorder
