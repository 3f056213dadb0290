#include "executor_fixture.h"

#include <cmath>

namespace cudabench::gpu {
namespace {

using recipe::launch;

constexpr std::uint64_t count = 1000; // 4000 bytes: a multiple of 16
constexpr long long last = count - 1;

class BuffersTest : public ExecutorTest {};

TEST_F(BuffersTest, LieInTheRangeAskedForAndAreAligned) {
    const std::vector<std::uint64_t> sizes{1, 4000, 5'000'000};
    for (const Placement placement : {Placement::at_end, Placement::at_start}) {
        const ShapeBuffers buffers = executor_->buffers(sizes, sizes, placement);
        for (const auto& all : {buffers.inputs(), buffers.outputs()})
            for (const Buffer& buffer : all) {
                EXPECT_GE(buffer.address, AddressRange::hint);
                EXPECT_EQ(buffer.address % 16, 0u);
            }
    }
}

TEST_F(BuffersTest, EveryElementCanBeUsedAtBothPlacements) {
    for (const Placement placement : {Placement::at_end, Placement::at_start}) {
        ShapeBuffers buffers = this->buffers(count * 4, placement);
        const CUdeviceptr out = buffers.outputs()[0].address;
        expect_performed({launch("store_at", 1, out, 0LL, 2.0f), launch("store_at", 1, out, last, 3.0f),
                          launch("load_at", 1, buffers.inputs()[0].address, last, out + 4)});
        EXPECT_EQ(read<float>(out, 1)[0], 2.0f);
        EXPECT_EQ(read<float>(out + 4 * last, 1)[0], 3.0f);
    }
}

TEST_F(BuffersTest, LieWhereItWasToldBefore) {
    const std::vector<std::uint64_t> inputs{1, executor_->device().page_bytes() + 1}, outputs{4000, 16};
    for (const Placement placement : {Placement::at_end, Placement::at_start}) {
        const auto told = executor_->addresses(inputs, outputs, placement);
        const ShapeBuffers buffers = executor_->buffers(inputs, outputs, placement);
        std::vector<recipe::Address> found;
        for (const auto& all : {buffers.inputs(), buffers.outputs()})
            for (const Buffer& buffer : all)
                found.push_back(buffer.address);
        EXPECT_EQ(told, found);
    }
}

TEST_F(BuffersTest, ServeAnotherShapeOfAsManyPages) {
    ShapeBuffers buffers = this->buffers(count * 4);
    const std::uint64_t page = executor_->device().page_bytes();
    const std::vector<std::uint64_t> small{16}, larger{page + 1};
    EXPECT_FALSE(buffers.take(larger, small, Placement::at_end));
    EXPECT_FALSE(buffers.take(small, larger, Placement::at_end));
    EXPECT_FALSE(buffers.take({}, small, Placement::at_end));
    EXPECT_EQ(buffers.outputs()[0].bytes, count * 4);
    for (const Placement placement : {Placement::at_end, Placement::at_start}) {
        ASSERT_TRUE(buffers.take(small, small, placement));
        const CUdeviceptr in = buffers.inputs()[0].address;
        const CUdeviceptr out = buffers.outputs()[0].address;
        EXPECT_EQ(buffers.outputs()[0].bytes, 16u);
        EXPECT_EQ(out % page, placement == Placement::at_start ? 0 : page - 16);
        expect_performed({launch("load_at", 1, in, 3LL, out + 12)});
        buffers.poison_outputs(executor_->poison(), PoisonPattern::noise, 5);
        expect_performed({launch("store_at", 1, out, 3LL, 2.0f)});
        EXPECT_TRUE(buffers.slack_is_intact(executor_->poison()));
    }
}

TEST_F(BuffersTest, TheHarnessWritesInputsThatKernelsCanRead) {
    ShapeBuffers buffers = this->buffers(count * 4);
    const CUdeviceptr in = buffers.inputs()[0].address;
    const std::vector<float> values(count, 5.0f);
    for (int turn = 0; turn < 3; ++turn) {
        const WritableInputs writable(buffers);
        executor_->write(in, std::as_bytes(std::span(values)));
    }
    expect_performed({launch("load_at", 1, in, last, buffers.outputs()[0].address)});
    EXPECT_EQ(read<float>(buffers.outputs()[0].address, 1)[0], 5.0f);
}

TEST_F(BuffersTest, InputsCanStayWritable) {
    ShapeBuffers buffers = this->buffers(count * 4);
    const CUdeviceptr in = buffers.inputs()[0].address;
    buffers.keep_inputs_writable();
    for (const float value : {3.0f, 4.0f}) {
        {
            const WritableInputs writable(buffers);
            expect_performed({launch("store_at", 1, in, 0LL, value)});
        }
        expect_performed({launch("store_at", 1, in, last, value)});
        EXPECT_EQ(read<float>(in, 1)[0], value);
        EXPECT_EQ(read<float>(in + 4 * last, 1)[0], value);
    }
}

TEST_F(BuffersTest, OutputsArePoisonedDifferentlyForEachSeed) {
    ShapeBuffers buffers = this->buffers(count * 4 + 3);
    const CUdeviceptr out = buffers.outputs()[0].address;
    buffers.poison_outputs(executor_->poison(), PoisonPattern::not_a_number, 1);
    const auto first = read<float>(out, count);
    for (const float value : first)
        EXPECT_TRUE(std::isnan(value));
    for (const double value : read<double>(out, count / 2))
        EXPECT_TRUE(std::isnan(value));
    buffers.poison_outputs(executor_->poison(), PoisonPattern::not_a_number, 2);
    EXPECT_NE(read<std::uint32_t>(out, count), std::vector<std::uint32_t>());
    const auto second = read<float>(out, count);
    EXPECT_NE(std::memcmp(first.data(), second.data(), count * 4), 0);
    buffers.poison_outputs(executor_->poison(), PoisonPattern::noise, 2);
    EXPECT_FALSE(std::isnan(read<float>(out, 1)[0]) && std::isnan(read<float>(out + 4, 1)[0]));
}

TEST_F(BuffersTest, AWriteIntoTheRestOfThePagesIsFound) {
    for (const Placement placement : {Placement::at_end, Placement::at_start}) {
        ShapeBuffers buffers = this->buffers(count * 4 + 2, placement);
        const CUdeviceptr out = buffers.outputs()[0].address;
        buffers.poison_outputs(executor_->poison(), PoisonPattern::noise, 3);
        expect_performed({launch("store_byte", 1, out, 0LL), launch("store_byte", 1, out, last * 4 + 5)});
        EXPECT_TRUE(buffers.slack_is_intact(executor_->poison()));
        // The byte behind the buffer is inside its rounding to 16; the one before it, in the page.
        const long long stray = placement == Placement::at_start ? last * 4 + 6 : -1;
        buffers.poison_outputs(executor_->poison(), PoisonPattern::not_a_number, 4);
        expect_performed({launch("store_byte", 1, out, stray)});
        EXPECT_FALSE(buffers.slack_is_intact(executor_->poison()));
    }
}

TEST_F(BuffersTest, ASealKeepsWhatLaterWorkOverwrites) {
    ShapeBuffers buffers = this->buffers(count * 4);
    const CUdeviceptr out = buffers.outputs()[0].address;
    expect_performed({launch("store_at", 1, out, 0LL, 2.0f), launch("store_at", 1, out, last, 4.0f)});
    Seal seal = executor_->start_seal(buffers.outputs()[0]);
    seal.close();
    expect_performed({launch("store_at", 1, out, 0LL, 9.0f)});
    const Buffer opened = seal.open();
    EXPECT_EQ(opened.bytes, count * 4);
    EXPECT_EQ(read<float>(opened.address, 1)[0], 2.0f);
    EXPECT_EQ(read<float>(opened.address + 4 * last, 1)[0], 4.0f);
    EXPECT_EQ(read<float>(out, 1)[0], 9.0f);
}

TEST_F(BuffersTest, TheDeviceDescribesItself) {
    const device::Description& description = executor_->description();
    EXPECT_FALSE(description.name.empty());
    EXPECT_EQ(description.uuid.size(), 40u) << description.uuid;
    EXPECT_GE(description.driver_version, 12000);
    EXPECT_GT(description.memory_bytes, std::uint64_t{1} << 30);
    EXPECT_EQ(description.attributes[CU_DEVICE_ATTRIBUTE_WARP_SIZE], 32);
    EXPECT_GE(description.attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR], 7);
}

} // namespace
} // namespace cudabench::gpu
