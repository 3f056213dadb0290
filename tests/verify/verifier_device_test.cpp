#include "device_test.h"
#include "verify/poison.h"
#include "verify/verifier.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace cudabench::verify {
namespace {

template <typename T> std::span<const std::byte> bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}

/// Device comparisons must be those of the host; the sum of squares may differ by its order.
void expect_same(const Comparison& device, const Comparison& host) {
    EXPECT_EQ(device.total, host.total);
    EXPECT_EQ(device.mismatches, host.mismatches);
    EXPECT_EQ(device.unwritten, host.unwritten);
    EXPECT_EQ(device.worst_ratio, host.worst_ratio);
    EXPECT_EQ(device.rms_limit, host.rms_limit);
    if (std::isfinite(host.rms)) {
        EXPECT_NEAR(device.rms, host.rms, 1e-12 * host.rms);
    } else {
        EXPECT_EQ(device.rms, host.rms);
    }
    ASSERT_EQ(device.first.size(), host.first.size());
    for (std::size_t i = 0; i < host.first.size(); ++i) {
        EXPECT_EQ(device.first[i].index, host.first[i].index);
        EXPECT_EQ(device.first[i].allowed, host.first[i].allowed);
        EXPECT_EQ(device.first[i].unwritten, host.first[i].unwritten);
    }
    EXPECT_EQ(describe(device, "y", Dtype::float32), describe(host, "y", Dtype::float32));
}

class VerifierOnDevice : public DeviceTest {
protected:
    template <typename T>
    void expect_as_on_host(const Bound& bound, const std::vector<T>& got, const std::vector<T>& expected,
                           const std::vector<T>& magnitude) {
        const auto y = upload(bytes_of(got));
        const auto truth = upload(bytes_of(expected));
        const auto a = upload(bytes_of(magnitude));
        expect_same(verifier_.compare(bound, {y.get(), truth.get(), magnitude.empty() ? 0 : a.get(), got.size()}),
                    compare_on_host(bound, {bytes_of(got), bytes_of(expected), bytes_of(magnitude)}));
    }

    /// A reference, and an output with errors about the size of the bound, poison and (for floats) what is not finite.
    template <typename T>
    void expect_as_on_host(Dtype dtype, std::size_t elements, const Check& check, bool with_magnitude) {
        SCOPED_TRACE("dtype " + std::to_string(static_cast<int>(dtype)) + ", elements " + std::to_string(elements));
        std::mt19937_64 random(elements);
        std::normal_distribution<double> normal(0, 40);
        std::uniform_int_distribution<int> die(0, 99);
        const std::uint32_t word = poison_word(4);
        const double error = dtype == Dtype::float64 ? 0x1p-52 : 0x1p-23;
        std::vector<T> poisoned(elements);
        fill_poison(std::as_writable_bytes(std::span(poisoned)), word);
        std::vector<T> expected(elements);
        std::vector<T> got(elements);
        std::vector<T> magnitude(elements);
        for (std::size_t i = 0; i < elements; ++i) {
            expected[i] = static_cast<T>(std::abs(normal(random)));
            magnitude[i] = static_cast<T>(std::abs(normal(random)));
            got[i] = static_cast<T>(static_cast<double>(expected[i]) * (1 + error * normal(random) / 20));
            if (const int face = die(random); face < 2) {
                got[i] = poisoned[i];
            } else if (std::is_floating_point_v<T> && face < 8) {
                const T specials[] = {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                                      -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::denorm_min(),
                                      std::numeric_limits<T>::max(),       T{0}};
                got[i] = specials[face - 2];
                expected[i] = specials[die(random) % 6];
                magnitude[i] = specials[die(random) % 6];
            }
        }
        const Bound bound = make_bound(check, dtype, 100, false, word);
        expect_as_on_host(bound, got, expected, with_magnitude ? magnitude : std::vector<T>{});
        expect_as_on_host(bound, expected, expected, {});
        expect_as_on_host(bound, poisoned, expected, magnitude);
    }

    Verifier verifier_{driver_, stream_.get()};
};

TEST_F(VerifierOnDevice, ComparesAsTheHostDoes) {
    const Check bounded{.factor = 0.02, .rms_factor = 1, .ulps = 1};
    const Check exact{.exact = true};
    for (const std::size_t elements : {std::size_t{1}, std::size_t{31}, std::size_t{257}, std::size_t{100'003}}) {
        for (const Check& check : {bounded, exact}) {
            for (const bool with_magnitude : {false, true}) {
                expect_as_on_host<float>(Dtype::float32, elements, check, with_magnitude);
                expect_as_on_host<double>(Dtype::float64, elements, check, with_magnitude);
            }
            expect_as_on_host<std::int32_t>(Dtype::int32, elements, check, false);
            expect_as_on_host<std::uint32_t>(Dtype::uint32, elements, check, false);
            expect_as_on_host<std::int64_t>(Dtype::int64, elements, check, false);
            expect_as_on_host<std::uint8_t>(Dtype::uint8, elements, check, false);
        }
    }
}

TEST_F(VerifierOnDevice, NothingToCompareIsRight) {
    EXPECT_TRUE(verifier_.compare(make_bound({}, Dtype::float32, 1, false, 0), {}).passed());
}

/// More elements than threads, one difference at the very end.
TEST_F(VerifierOnDevice, SeesTheLastElementOfALargeOutput) {
    std::vector<float> expected((std::size_t{1} << 22) + 5, 1.0F);
    std::vector<float> got = expected;
    got.back() = 2;
    expect_as_on_host(make_bound({.ulps = 1}, Dtype::float32, 1, false, 0), got, expected, {});
}

} // namespace
} // namespace cudabench::verify
