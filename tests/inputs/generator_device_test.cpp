#include "device_test.h"
#include "inputs/generate.h"
#include "inputs/with_type.h"

#include <array>
#include <tuple>

namespace cudabench {
namespace {

using Kind = Distribution::Kind;
using Row = std::tuple<Dtype, Kind, bool, std::uint64_t>;

class GeneratorOnDevice : public DeviceTest, public testing::WithParamInterface<Row> {};

Distribution distribution_of(Kind kind, bool drift) {
    Distribution values;
    values.kind = kind;
    const bool whole = kind == Kind::integer || kind == Kind::ascending;
    values.a = whole ? 3 : 1.7;
    values.b = whole ? 200 : 90.3;
    values.drift = drift;
    values.needle_probability = drift && kind != Kind::ascending ? 0.05 : 0;
    values.needle_factor = 7.5;
    return values;
}

TEST_P(GeneratorOnDevice, GivesTheBitsOfTheHost) {
    const auto [dtype, kind, drift, elements] = GetParam();
    const std::size_t width = with_type(dtype, [](auto zero) { return sizeof zero; });
    const Draw draw = prepare_draw(distribution_of(kind, drift), dtype, 0xFEDCBA9876543210, 2, elements);

    std::vector<std::byte> expected(elements * width);
    generate_on_host(draw, expected);
    expected.resize(expected.size() + 16, std::byte{0xAB}); // what lies behind stays
    const std::vector<std::byte> before(expected.size(), std::byte{0xAB});
    const auto memory = upload(before);
    Generator(driver_).generate(draw, memory.get(), stream_.get());

    EXPECT_EQ(download(memory.get(), expected.size()), expected);
}

INSTANTIATE_TEST_SUITE_P(All, GeneratorOnDevice,
                         testing::Combine(testing::Values(Dtype::float32, Dtype::float64, Dtype::int32, Dtype::uint32,
                                                          Dtype::int64, Dtype::uint8),
                                          testing::Values(Kind::uniform, Kind::normal, Kind::integer, Kind::ascending),
                                          testing::Bool(), testing::Values(1, 255, 257, 100'003)));

class GeneratorExtremes : public DeviceTest {};

TEST_F(GeneratorExtremes, WholeRangeOfInt64) {
    Distribution values;
    values.kind = Kind::integer;
    values.a = -0x1p63;
    values.b = 0x1p63;
    const Draw draw = prepare_draw(values, Dtype::int64, 1, 0, 1001);
    std::vector<std::byte> expected(1001 * 8);
    generate_on_host(draw, expected);
    const auto memory = upload(expected);
    driver_.cuMemsetD8Async(memory.get(), 0, expected.size(), stream_.get());
    Generator(driver_).generate(draw, memory.get(), stream_.get());
    EXPECT_EQ(download(memory.get(), expected.size()), expected);
}

/// The grid is smaller than the input here; the time is printed for the record, 2^28 elements are meant to take a few
/// ms.
TEST_F(GeneratorExtremes, LastElementsOfALargeInput) {
    constexpr std::uint64_t elements = (std::uint64_t{1} << 28) + 3;
    Distribution values;
    values.kind = Kind::normal;
    values.drift = true;
    const Draw draw = prepare_draw(values, Dtype::float32, 9, 1, elements);
    const auto memory = driver::allocate(driver_, elements * sizeof(float));
    const Generator generator(driver_);
    generator.generate(draw, memory.get(), stream_.get()); // warm
    const auto start = driver::make_timing_event(driver_);
    const auto end = driver::make_timing_event(driver_);
    driver_.cuEventRecord(start.get(), stream_.get());
    generator.generate(draw, memory.get(), stream_.get());
    driver_.cuEventRecord(end.get(), stream_.get());

    constexpr std::uint64_t checked = 1000;
    std::array<float, checked> expected{};
    for (std::uint64_t i = 0; i < checked; ++i) {
        expected.at(i) = draw::element<float>(draw, elements - checked + i);
    }
    const auto tail = download(memory.get() + (elements - checked) * sizeof(float), sizeof expected);
    const auto bytes = std::as_bytes(std::span(expected));
    EXPECT_TRUE(std::equal(tail.begin(), tail.end(), bytes.begin(), bytes.end()));
    const double seconds = driver::elapsed_seconds(driver_, start, end);
    RecordProperty("milliseconds", std::to_string(seconds * 1e3));
    EXPECT_LT(seconds, 0.2) << "generation would dominate the cost of a case";
}

} // namespace
} // namespace cudabench
