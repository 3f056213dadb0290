#include "executor_fixture.h"

namespace cudabench::gpu {
namespace {

using recipe::in_stream;
using recipe::launch;
using recipe::Synchronize;

constexpr unsigned long long delay_ns = 3'000'000;

/// One kernel writes 7 late, another copies it: what arrives shows whether the second waited for the first.
class StreamsTest : public ExecutorTest {
protected:
    [[nodiscard]] recipe::Operation write_late(recipe::StreamId stream) const {
        return in_stream(stream, launch("store_late", 1, source(), 7.0f, delay_ns));
    }
    [[nodiscard]] recipe::Operation copy(recipe::StreamId stream) const {
        return in_stream(stream, launch("copy_one", 1, source(), target()));
    }
    [[nodiscard]] CUdeviceptr source() const { return buffers_.outputs()[0].address; }
    [[nodiscard]] CUdeviceptr target() const { return source() + 4; }

    /// What the copy delivered; the source holds 1 at first.
    float delivered(std::vector<recipe::Operation> operations) {
        const std::vector<float> before{1, 0};
        // All kernels are loaded and the streams' resources exist before what is observed.
        for (int turn = 0; turn < 2; ++turn) {
            executor_->write(source(), std::as_bytes(std::span(before)));
            expect_performed(operations);
        }
        EXPECT_EQ(read<float>(source(), 1)[0], 7.0f);
        return read<float>(target(), 1)[0];
    }

    ShapeBuffers buffers_ = buffers(8);
    const recipe::CreateStream blocking1_{1, true};
    const recipe::CreateStream blocking2_{2, true};
    const recipe::CreateStream free1_{1, false};
    const recipe::CreateStream free2_{2, false};
};

TEST_F(StreamsTest, StreamsWithoutAnOrderOverlap) {
    EXPECT_EQ(delivered({free1_, free2_, write_late(1), copy(2)}), 1.0f);
    EXPECT_EQ(delivered({blocking1_, blocking2_, write_late(1), copy(2)}), 1.0f);
    EXPECT_EQ(delivered({free1_, write_late(0), copy(1)}), 1.0f);
    EXPECT_EQ(delivered({free1_, write_late(1), copy(0)}), 1.0f);
}

TEST_F(StreamsTest, OneStreamKeepsItsOrder) {
    EXPECT_EQ(delivered({free1_, write_late(1), copy(1)}), 7.0f);
    EXPECT_EQ(delivered({write_late(0), copy(0)}), 7.0f);
}

TEST_F(StreamsTest, AnEventOrdersTwoStreams) {
    EXPECT_EQ(delivered({free1_, free2_, write_late(1), recipe::RecordEvent{1, 5}, recipe::WaitEvent{2, 5}, copy(2)}),
              7.0f);
    EXPECT_EQ(delivered({free1_, write_late(1), recipe::RecordEvent{1, 5}, recipe::WaitEvent{0, 5}, copy(0)}), 7.0f);
}

TEST_F(StreamsTest, AnEventMarksTheWorkBeforeItsRecordOnly) {
    EXPECT_EQ(delivered({free1_, free2_, recipe::RecordEvent{1, 5}, write_late(1), recipe::WaitEvent{2, 5}, copy(2)}),
              1.0f);
    EXPECT_EQ(delivered({free1_, free2_, recipe::RecordEvent{1, 5}, write_late(1), recipe::RecordEvent{1, 5},
                         recipe::WaitEvent{2, 5}, copy(2)}),
              7.0f)
        << "recorded anew";
}

TEST_F(StreamsTest, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
    EXPECT_EQ(delivered({blocking1_, write_late(1), copy(0)}), 7.0f);
    EXPECT_EQ(delivered({blocking1_, write_late(0), copy(1)}), 7.0f);
}

TEST_F(StreamsTest, WorkOfTheDefaultStreamSeparatesBlockingStreams) {
    const auto between = launch("store_at", 1, target(), 0LL, 0.0f);
    EXPECT_EQ(delivered({blocking1_, blocking2_, write_late(1), between, copy(2)}), 7.0f);
    EXPECT_EQ(delivered({blocking1_, blocking2_, write_late(1), recipe::RecordEvent{0, 1}, copy(2)}), 7.0f)
        << "a record is work as well";
    EXPECT_EQ(delivered({free1_, free2_, write_late(1), between, copy(2)}), 1.0f);
}

TEST_F(StreamsTest, WhatTheHostWaitedForComesBeforeEverythingLater) {
    EXPECT_EQ(delivered({free1_, free2_, write_late(1), Synchronize{Synchronize::Scope::device, 0}, copy(2)}), 7.0f);
    EXPECT_EQ(delivered({free1_, free2_, write_late(1), Synchronize{Synchronize::Scope::stream, 1}, copy(2)}), 7.0f);
    EXPECT_EQ(delivered({free1_, free2_, write_late(1), Synchronize{Synchronize::Scope::stream, 2}, copy(2)}), 1.0f)
        << "it waited for another stream";
    EXPECT_EQ(delivered({free1_, free2_, write_late(1), recipe::RecordEvent{1, 3},
                         Synchronize{Synchronize::Scope::event, 3}, copy(2)}),
              7.0f);
}

TEST_F(StreamsTest, AStreamCreatedAfterAWaitOfTheHostComesAfterIt) {
    EXPECT_EQ(delivered({free1_, write_late(1), Synchronize{Synchronize::Scope::stream, 1}, free2_, copy(2)}), 7.0f);
}

TEST_F(StreamsTest, AStreamThatWasNeverCreatedIsRefused) {
    EXPECT_THROW(static_cast<void>(perform({copy(9)})), std::logic_error);
}

} // namespace
} // namespace cudabench::gpu
