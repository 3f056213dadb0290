#include "device/described.h"
#include "roofline/peaks.h"

#include <cuda.h>
#include <gtest/gtest.h>

namespace cudabench::roofline {
namespace {

struct Board {
    int capability;
    int multiprocessors;
    int clock_khz;
    int memory_clock_khz;
    int bus_bits;
};

device::Description describe(const Board& board) {
    device::Description description;
    description.name = "a board";
    description.attributes.at(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) = board.capability / 10;
    description.attributes.at(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) = board.capability % 10;
    description.attributes.at(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) = board.multiprocessors;
    description.attributes.at(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) = board.clock_khz;
    description.attributes.at(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) = board.memory_clock_khz;
    description.attributes.at(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) = board.bus_bits;
    description.attributes.at(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE) = 1000;
    return description;
}

TEST(Peaks, OfTheDescribedH200) {
    const Peaks peaks = nominal_peaks(device::h200()).value();
    EXPECT_NEAR(peaks.fp32, 66.9e12, 0.05e12); // 132 x 128 x 2 x 1.98 GHz
    EXPECT_NEAR(peaks.fp64, 33.5e12, 0.05e12);
    EXPECT_NEAR(peaks.sfu, 132 * 16 * 1.98e9, 1);
    EXPECT_NEAR(peaks.int32, 132 * 64 * 1.98e9, 1);
    EXPECT_NEAR(peaks.tensor_tf32, 535e12, 1e12);
    EXPECT_EQ(peaks.tensor(), peaks.tensor_tf32);
}

/// Both bus widths that H200s report: 1,504 and 1,536 bytes a memory cycle of 3.201 GHz.
TEST(Peaks, BandwidthOfTheH200) {
    EXPECT_NEAR(nominal_peaks(describe({90, 132, 1'980'000, 3'201'000, 6016})).value().bandwidth, 4814e9, 1e9);
    EXPECT_NEAR(nominal_peaks(describe({90, 132, 1'980'000, 3'201'000, 6144})).value().bandwidth, 4917e9, 1e9);
}

/// Data sheets: A100 40 GB 19.5, 9.7, 156 and 312 TFLOP/s, 1,555 GB/s; A40 37.4, 74.8 and 149.7 TFLOP/s, 696 GB/s;
/// H100 SXM 66.9, 33.5, 494.7 (tf32, at the 1.83 GHz that tensor work sustains) TFLOP/s and 3,352 GB/s; L40S 91.6, 183
/// and 362 TFLOP/s, 864 GB/s.
TEST(Peaks, AgreeWithDataSheets) {
    const Peaks a100 = nominal_peaks(describe({80, 108, 1'410'000, 1'215'000, 5120})).value();
    EXPECT_NEAR(a100.fp32, 19.5e12, 0.05e12);
    EXPECT_NEAR(a100.fp64, 9.7e12, 0.05e12);
    EXPECT_NEAR(a100.tensor_tf32, 156e12, 0.5e12);
    EXPECT_NEAR(a100.tensor_fp16, 312e12, 0.5e12);
    EXPECT_NEAR(a100.bandwidth, 1555e9, 1e9);
    const Peaks a40 = nominal_peaks(describe({86, 84, 1'740'000, 7'251'000, 384})).value();
    EXPECT_NEAR(a40.fp32, 37.4e12, 0.05e12);
    EXPECT_NEAR(a40.tensor_tf32, 74.8e12, 0.2e12);
    EXPECT_NEAR(a40.tensor_fp16, 149.7e12, 0.5e12);
    EXPECT_NEAR(a40.bandwidth, 696e9, 1e9);
    const Peaks h100 = nominal_peaks(describe({90, 132, 1'830'000, 2'619'000, 5120})).value();
    EXPECT_NEAR(h100.tensor_tf32, 494.7e12, 0.5e12);
    EXPECT_NEAR(h100.tensor_fp16, 989.4e12, 1e12);
    EXPECT_NEAR(h100.bandwidth, 3352e9, 1e9);
    const Peaks l40s = nominal_peaks(describe({89, 142, 2'520'000, 9'001'000, 384})).value();
    EXPECT_NEAR(l40s.fp32, 91.6e12, 0.1e12);
    EXPECT_NEAR(l40s.tensor_tf32, 183e12, 0.5e12);
    EXPECT_NEAR(l40s.tensor_fp16, 366e12, 1e12); // the data sheet's 362 is at 2.49 GHz
    EXPECT_NEAR(l40s.bandwidth, 864e9, 1e9);
}

TEST(Peaks, HalfPrecisionStandsInWhereThereIsNoTf32) {
    const Peaks t4 = nominal_peaks(describe({75, 40, 1'590'000, 5'001'000, 256})).value();
    EXPECT_EQ(t4.tensor_tf32, 0);
    EXPECT_NEAR(t4.tensor(), 65e12, 0.2e12);
    EXPECT_NEAR(t4.fp32, 8.1e12, 0.05e12);
}

TEST(Peaks, SayWhatIsMissing) {
    const auto unknown = nominal_peaks(describe({134, 1, 1, 1, 1}));
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("compute capability 13.4"), std::string::npos) << unknown.error().message;
    const auto no_clock = nominal_peaks(describe({90, 132, 0, 1, 8}));
    ASSERT_FALSE(no_clock);
    EXPECT_NE(no_clock.error().message.find("no clock"), std::string::npos);
    const auto no_memory_clock = nominal_peaks(describe({90, 132, 1, 0, 8}));
    ASSERT_FALSE(no_memory_clock);
    EXPECT_NE(no_memory_clock.error().message.find("no memory clock"), std::string::npos);
}

} // namespace
} // namespace cudabench::roofline
