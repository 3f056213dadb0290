#include "on_the_cpu.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <gmock/gmock.h>
#include <random>

/// Expected values follow from the CUDA C++ Programming Guide, "Texture Fetching", by hand: elements are chosen so that
/// they are exact. A linear filter of a plane is the plane.
namespace cudabench::cpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Floats = std::vector<float>;

/// As cudaTextureAddressMode numbers them.
enum class Mode : std::uint8_t { wrap, clamp, mirror, border };

struct Point {
    float x = 0;
    float y = 0;
    float z = 0; ///< or the layer
};

struct Texture {
    std::int64_t width = 1;
    std::int64_t height = 0;
    std::int64_t depth = 0;
    bool layered = false;
    Mode mode = Mode::clamp;
    bool linear = false;
    bool normalized = false;
    bool fractions = false;
    double border = 0;
};

class Images : public testing::Test {
protected:
    /// What a function of images.cu reads at these points.
    template <typename Result = float, typename Element>
    std::vector<Result> read(const char* function, const Texture& texture, const std::vector<Element>& elements,
                             const std::vector<Point>& points, std::size_t channels = 1) {
        OnTheCpu device(IMAGES);
        device.add_input(elements);
        device.add_input(points);
        device.add_output<Result>(points.size() * channels);
        failure_ = device.call(function,
                               {texture.width, texture.height, texture.depth, texture.layered,
                                static_cast<std::int64_t>(texture.mode), texture.linear, texture.normalized,
                                texture.fractions, static_cast<std::int64_t>(points.size())},
                               1, {}, {texture.border});
        return device.values<Result>(2);
    }

    Floats read_row(Texture texture, const Floats& elements, const Floats& xs) {
        texture.width = static_cast<std::int64_t>(elements.size());
        std::vector<Point> points;
        for (const float x : xs)
            points.push_back({x, 0, 0});
        const Floats values = read("floats", texture, elements, points);
        EXPECT_EQ(failure_, "");
        return values;
    }

    std::string failure_;
};

TEST_F(Images, TheNearestElementIsTheOneThatHoldsThePoint) {
    EXPECT_THAT(read_row({}, {1, 11, 21, 31, 41}, {-3, 0.25F, 2.9375F, 3, 4.99F, 7}),
                ElementsAre(1, 1, 21, 31, 41, 41));
    EXPECT_THAT(read_row({.normalized = true}, {1, 11, 21, 31}, {-0.5F, 0, 0.25F, 0.74F, 0.75F, 1, 3}),
                ElementsAre(1, 1, 11, 21, 31, 31, 31));
}

TEST_F(Images, LinearFiltersWeighWithEightBits) {
    const Floats row = {0, 256, 512, 1024};
    constexpr float step = 1.0F / 256;
    EXPECT_THAT(read_row({.linear = true}, row, {0.5F, 1, 1.5F, 0.5F + 3 * step, 3, -1, 9}),
                ElementsAre(0, 128, 256, 3, 768, 0, 1024));
    // To the nearest weight; the last of them is the next element.
    EXPECT_THAT(read_row({.linear = true}, row, {0.5F + 3.25F * step, 0.5F + 3.75F * step, 1.5F - 0.25F * step}),
                ElementsAre(3, 4, 256));
}

TEST_F(Images, AddressModesPlaceWhatLiesOutside) {
    const Floats row = {0, 256, 512, 1024};
    const Floats points = {-0.125F, -0.875F, 1.125F, 1.875F, 2.125F, -2.125F};
    EXPECT_THAT(read_row({.mode = Mode::wrap, .normalized = true}, row, points),
                ElementsAre(1024, 0, 0, 1024, 0, 1024));
    EXPECT_THAT(read_row({.mode = Mode::mirror, .normalized = true}, row, points), ElementsAre(0, 1024, 1024, 0, 0, 0));
    EXPECT_THAT(read_row({.mode = Mode::border, .normalized = true, .border = -7}, row, {-0.01F, 0, 0.99F, 1}),
                ElementsAre(-7, 0, 1024, -7));
    // Linear at the left end: half of it is the neighbour.
    EXPECT_THAT(read_row({.mode = Mode::wrap, .linear = true, .normalized = true}, row, {0, 1}), ElementsAre(512, 512));
    EXPECT_THAT(read_row({.mode = Mode::mirror, .linear = true, .normalized = true}, row, {0, 1}),
                ElementsAre(0, 1024));
    // A row is filtered as a plane of height 1 at its upper edge: half of all is the border above, as seen on an H200.
    EXPECT_THAT(read_row({.mode = Mode::border, .linear = true, .border = -8}, row, {0, 1, 4, 6}),
                ElementsAre(-6, 60, 250, -8));
    // In elements nothing repeats.
    EXPECT_THAT(read_row({.mode = Mode::wrap}, row, {-1, 5}), ElementsAre(0, 1024));
    EXPECT_THAT(read_row({.mode = Mode::mirror}, row, {-1, 5}), ElementsAre(0, 1024));
}

/// Points at multiples of 1/256, within the centres of the outermost elements.
std::vector<Point> points_within(std::int64_t width, std::int64_t height, std::int64_t depth) {
    std::mt19937 random(5);
    const auto between = [&](std::int64_t size) {
        const std::int64_t steps = (size - 1) * 256;
        return 0.5F + static_cast<float>(static_cast<std::int64_t>(random()) % (steps + 1)) / 256;
    };
    std::vector<Point> points;
    for (int i = 0; i < 300; ++i)
        points.push_back({between(width), between(height), between(depth)});
    return points;
}

TEST_F(Images, PlanesAndVolumesAreFilteredAlongEachAxis) {
    constexpr std::int64_t width = 7;
    constexpr std::int64_t height = 5;
    constexpr std::int64_t depth = 4;
    Floats volume;
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                volume.push_back(static_cast<float>(3 + 2 * x + 5 * y - 4 * z));
    const std::vector<Point> points = points_within(width, height, depth);
    const auto at = [](const Point& p, bool deep) {
        return 3 + 2 * (p.x - 0.5F) + 5 * (p.y - 0.5F) - (deep ? 4 * (p.z - 0.5F) : 0);
    };
    const Floats flat = read("floats", {.width = width, .height = height, .linear = true}, volume, points);
    const Floats deep =
        read("floats", {.width = width, .height = height, .depth = depth, .linear = true}, volume, points);
    const Floats rows = read("rows", {.width = width, .height = height, .linear = true}, volume, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(flat[i], at(points[i], false)) << i;
        EXPECT_EQ(rows[i], at(points[i], false)) << i;
        EXPECT_EQ(deep[i], at(points[i], true)) << i;
    }
    // The corners of the volume hold beyond it.
    EXPECT_THAT(read("floats", {.width = width, .height = height, .depth = depth, .linear = true}, volume,
                     {{-5, -5, -5}, {50, -5, 50}, {50, 50, 50}}),
                ElementsAre(3, 3 + 12 - 12, 3 + 12 + 20 - 12));
}

TEST_F(Images, LayersAreNotFiltered) {
    Floats layers;
    for (int layer = 0; layer < 3; ++layer)
        for (int i = 0; i < 8; ++i)
            layers.push_back(static_cast<float>(100 * layer + i));
    const Texture planes{.width = 4, .height = 2, .depth = 3, .layered = true, .linear = true};
    EXPECT_THAT(read("floats", planes, layers, {{1, 0.5F, 0}, {1, 1, 1}, {3.5F, 1.5F, 2}, {3.5F, 1.5F, 9}}),
                ElementsAre(0.5F, 102.5F, 207, 207));
    const Texture rows{.width = 8, .height = 0, .depth = 3, .layered = true};
    EXPECT_THAT(read("floats", rows, layers, {{7.5F, 0, 0}, {2.25F, 0, 1}, {2.25F, 0, -4}}), ElementsAre(7, 102, 202));
    EXPECT_EQ(failure_, "");
}

TEST_F(Images, IntegersAreReadAsFractionsOrAsTheyAre) {
    const std::vector<std::uint8_t> bytes = {0, 255, 51, 128, 255, 0, 51, 0};
    const Texture row{.width = 2, .height = 1, .fractions = true};
    EXPECT_THAT(read("fractions", row, bytes, {{0.5F, 0.5F, 0}}, 4), ElementsAre(0, 1, 0.2F, 128.0F / 255));
    Texture filtered = row;
    filtered.linear = true;
    const Floats half = read("fractions", filtered, bytes, {{1, 0.5F, 0}}, 4);
    EXPECT_EQ(half[0], 0.5F);
    EXPECT_EQ(half[1], 0.5F);
    EXPECT_EQ(half[2], 0.2F);
    EXPECT_FLOAT_EQ(half[3], 64.0F / 255);
    // Both ends of the negative numbers are -1; channels that are not there are 0.
    const std::vector<std::int16_t> shorts = {-32768, -32767, 32767, 16384};
    EXPECT_THAT(read("signed_fractions", row, shorts, {{0.5F, 0.5F, 0}, {1.5F, 0.5F, 0}}, 4),
                ElementsAre(-1, -1, 0, 0, 1, 16384.0F / 32767, 0, 0));
    const std::vector<std::int8_t> small = {-128, 127, -1, 5, 0, 1, 2, 3};
    const Texture integers{.width = 2, .height = 1};
    EXPECT_THAT(read<std::int32_t>("integers", integers, small, {{0.5F, 0.5F, 0}, {1.5F, 0.5F, 0}}, 4),
                ElementsAre(-128, 127, -1, 5, 0, 1, 2, 3));
    const std::vector<std::uint16_t> halves = {0x3C00, 0xC000, 0x0001, 0x7BFF};
    EXPECT_THAT(read("halves", {.width = 4, .height = 1}, halves,
                     {{0.5F, 0.5F, 0}, {1.5F, 0.5F, 0}, {2.5F, 0.5F, 0}, {3.5F, 0.5F, 0}}),
                ElementsAre(1, -2, 0x1p-24F, 65504));
    EXPECT_EQ(failure_, "");
}

TEST_F(Images, WhatNoTextureCanBeIsRefused) {
    const std::vector<std::int8_t> bytes(8);
    (void)read<std::int32_t>("integers", {.width = 2, .height = 1, .linear = true}, bytes, {{0.5F, 0.5F, 0}}, 4);
    EXPECT_THAT(failure_, HasSubstr("of integers with a linear filter"));
    (void)read<std::int32_t>("integers", {.width = 2, .height = 1, .mode = Mode::border, .border = 1}, bytes,
                             {{0.5F, 0.5F, 0}}, 4);
    EXPECT_THAT(failure_, HasSubstr("needs a GPU"));
}

TEST(LinearMemory, IsReadByWholeNumbersAndZeroOutside) {
    OnTheCpu device(IMAGES);
    device.add_input(std::vector<std::int16_t>{1, 10, 2, 20, 3, -30});
    device.add_input(std::vector<std::int32_t>{2, 0, 1, 3, -1, 1 << 30});
    device.add_output<std::int32_t>(6);
    ASSERT_EQ(device.call("linear", {3, 6}, 1), "");
    EXPECT_THAT(device.values<std::int32_t>(2), ElementsAre(-30, 10, 20, 0, 0, 0));
}

TEST(Surfaces, AreReadAndWritten) {
    constexpr std::size_t size = 6;
    using Element = std::array<std::uint16_t, 4>;
    std::vector<Element> square(size * size);
    for (std::size_t i = 0; i < square.size(); ++i)
        for (std::size_t c = 0; c < 4; ++c)
            square[i][c] = static_cast<std::uint16_t>(1000 * c + i + 1);
    OnTheCpu device(IMAGES);
    device.add_input(square);
    device.add_output<Element>(size * size);
    device.add_output<Element>(2 * size);
    ASSERT_EQ(device.call("quarter_turn", {size}, 2), "");
    const auto turned = device.values<Element>(1);
    const auto beyond = device.values<Element>(2);
    for (std::size_t y = 0; y < size; ++y)
        for (std::size_t x = 0; x < size; ++x)
            EXPECT_EQ(turned[(size - 1 - x) * size + y], square[y * size + x]);
    for (std::size_t x = 0; x < size; ++x) {
        EXPECT_EQ(beyond[x], square[x < 2 ? 0 : x - 2]);
        EXPECT_EQ(beyond[size + x], x < 2 ? Element{} : square[x - 2]);
    }
}

TEST(Surfaces, HaveLayers) {
    std::vector<std::uint8_t> bytes(5 * 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i + 1);
    OnTheCpu device(IMAGES);
    device.add_input(bytes);
    device.add_output<std::uint8_t>(bytes.size());
    ASSERT_EQ(device.call("layered_surface", {5, 3, 4}, 1), "");
    EXPECT_EQ(device.values<std::uint8_t>(1), bytes);
}

TEST(Surfaces, EndWhereTheyEnd) {
    OnTheCpu device(IMAGES);
    EXPECT_EQ(device.call("beyond_a_surface", {10, 9}, 1), "");
    EXPECT_THAT(device.call("beyond_a_surface", {10, 10}, 1), HasSubstr("beyond a surface, at 40 of at most 36"));
    EXPECT_THAT(device.call("beyond_a_surface", {10, -1}, 1), HasSubstr("beyond a surface"));
}

} // namespace
} // namespace cudabench::cpu
