// What no bound may accept, and what every bound must: the outputs of lazy or imprecise kernels, and of honest ones,
// for a matrix product of K terms an element.
#include "inputs/generate.h"
#include "verify/compare.h"
#include "verify/poison.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <vector>

namespace cudabench::verify {
namespace {

constexpr std::size_t rows = 24;
constexpr std::size_t columns = 24;
constexpr Check check{.exact_on_integers = true, .factor = 8, .rms_factor = 2, .ulps = 1};

using Floats = std::vector<float>;
using Rounding = std::function<float(float)>;

/// Keeps `bits` bits of the significand, ties to even; 11 are those of tf32 and fp16 (whose range suffices here).
float keep_bits(float value, int bits) {
    const int dropped = 24 - bits;
    auto word = std::bit_cast<std::uint32_t>(value);
    word += (std::uint32_t{1} << (dropped - 1)) - 1 + (word >> dropped & 1U);
    return std::bit_cast<float>(word >> dropped << dropped);
}

float as_it_is(float value) {
    return value;
}

struct Product {
    std::size_t terms;
    Floats left;  ///< rows x terms
    Floats right; ///< columns x terms

    Product(std::size_t k, const Distribution& left_values, const Distribution& right_values, std::uint64_t seed)
        : terms(k), left(draw(rows * k, left_values, 0, seed)), right(draw(columns * k, right_values, 1, seed)) {}

    /// Each element by `dot` of its row and column.
    [[nodiscard]] Floats by(const std::function<double(const float*, const float*)>& dot) const {
        Floats product;
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                product.push_back(static_cast<float>(dot(&left[i * terms], &right[j * terms])));
            }
        }
        return product;
    }

    [[nodiscard]] Floats truth() const {
        return by([this](const float* a, const float* b) {
            double sum = 0;
            for (std::size_t k = 0; k < terms; ++k) {
                sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
            }
            return sum;
        });
    }

    [[nodiscard]] Floats magnitude() const {
        return by([this](const float* a, const float* b) {
            double sum = 0;
            for (std::size_t k = 0; k < terms; ++k) {
                sum += std::abs(static_cast<double>(a[k]) * static_cast<double>(b[k]));
            }
            return sum;
        });
    }

    /// One single-precision sum, with or without fused multiply-add, of `count` terms.
    [[nodiscard]] Floats in_sequence(bool fused, const Rounding& rounded, std::size_t count) const {
        return by([&](const float* a, const float* b) {
            float sum = 0;
            for (std::size_t k = 0; k < count; ++k) {
                sum = fused ? std::fma(rounded(a[k]), rounded(b[k]), sum) : sum + rounded(a[k]) * rounded(b[k]);
            }
            return static_cast<double>(sum);
        });
    }

    /// Partial sums of 32 lanes, then pairwise, as a warp does it.
    [[nodiscard]] Floats by_lanes() const {
        return by([this](const float* a, const float* b) {
            Floats lane(32);
            for (std::size_t k = 0; k < terms; ++k) {
                lane[k % 32] += a[k] * b[k];
            }
            for (std::size_t distance = 16; distance > 0; distance /= 2) {
                for (std::size_t i = 0; i < distance; ++i) {
                    lane[i] += lane[i + distance];
                }
            }
            return static_cast<double>(lane[0]);
        });
    }

    /// Three products of 11-bit halves, as 3xTF32 does it.
    [[nodiscard]] Floats split() const {
        return by([this](const float* a, const float* b) {
            float sum = 0;
            for (std::size_t k = 0; k < terms; ++k) {
                const float a_high = keep_bits(a[k], 11);
                const float b_high = keep_bits(b[k], 11);
                sum += a_high * keep_bits(b[k] - b_high, 11) + keep_bits(a[k] - a_high, 11) * b_high;
                sum += a_high * b_high;
            }
            return static_cast<double>(sum);
        });
    }

private:
    static Floats draw(std::size_t count, const Distribution& values, std::uint32_t input, std::uint64_t seed) {
        Floats drawn(count);
        generate_on_host(prepare_draw(values, Dtype::float32, seed, input, count),
                         std::as_writable_bytes(std::span(drawn)));
        return drawn;
    }
};

Distribution of(Distribution::Kind kind, double a, double b) {
    return {.kind = kind, .a = a, .b = b};
}

Product real(std::size_t terms, std::uint64_t seed = 1) {
    const Distribution normal = of(Distribution::Kind::normal, 0, 1);
    return {terms, normal, normal, seed};
}

/// Numbers of 12 bits, half of them odd, against -1, 0 and 1: sums are exact in single precision, products of 11 bits
/// are not.
Product whole(std::size_t terms) {
    return {terms, of(Distribution::Kind::integer, 2049, 4095), of(Distribution::Kind::integer, -1, 1), 2};
}

Comparison judge(const Product& product, const Floats& got, bool integer_seed = false) {
    const std::uint32_t poison = poison_word(1);
    const Bound bound = make_bound(check, Dtype::float32, static_cast<double>(product.terms), integer_seed, poison);
    const Floats truth = product.truth();
    const Floats magnitude = product.magnitude();
    return compare_on_host(
        bound, {std::as_bytes(std::span(got)), std::as_bytes(std::span(truth)), std::as_bytes(std::span(magnitude))});
}

class NullModels : public testing::TestWithParam<std::size_t> {
protected:
    const Product product = real(GetParam());
    const Floats truth = product.truth();
};

TEST_P(NullModels, HonestKernelsAreAccepted) {
    EXPECT_TRUE(judge(product, truth).passed());
    EXPECT_TRUE(judge(product, product.in_sequence(false, as_it_is, product.terms)).passed());
    EXPECT_TRUE(judge(product, product.in_sequence(true, as_it_is, product.terms)).passed());
    EXPECT_TRUE(judge(product, product.by_lanes()).passed());
    EXPECT_TRUE(judge(product, product.split()).passed()) << "3xTF32";
}

TEST_P(NullModels, ConstantsAreRejected) {
    double sum = 0;
    for (const float value : truth) {
        sum += static_cast<double>(value);
    }
    const auto mean = static_cast<float>(sum / static_cast<double>(truth.size()));
    for (const float constant : {0.0F, mean, std::nanf("")}) {
        EXPECT_FALSE(judge(product, Floats(truth.size(), constant)).passed()) << constant;
    }
}

TEST_P(NullModels, AnotherSeedIsRejected) {
    EXPECT_FALSE(judge(product, real(GetParam(), 99).truth()).passed());
}

TEST_P(NullModels, OutputsWrittenInPartAreRejected) {
    for (const std::size_t written : {std::size_t{0}, truth.size() / 2, truth.size() - columns, truth.size() - 1}) {
        Floats got = truth;
        const auto rest = std::span(got).subspan(written);
        fill_poison(std::as_writable_bytes(rest), poison_word(1));
        const Comparison comparison = judge(product, got);
        EXPECT_EQ(comparison.mismatches, truth.size() - written);
        EXPECT_EQ(comparison.unwritten, truth.size() - written);
        for (float& value : rest) {
            value = 0;
        }
        EXPECT_FALSE(judge(product, got).passed()) << "zeros from " << written << " on";
    }
}

TEST_P(NullModels, TermsLeftOutAreRejected) {
    EXPECT_FALSE(judge(product, product.in_sequence(true, as_it_is, product.terms - 1)).passed());
    EXPECT_FALSE(judge(product, product.in_sequence(true, as_it_is, product.terms / 2)).passed());
}

TEST_P(NullModels, AnInputIgnoredIsRejected) {
    Product ones = product;
    ones.right.assign(ones.right.size(), 1);
    EXPECT_FALSE(judge(product, ones.truth()).passed());
}

INSTANTIATE_TEST_SUITE_P(Terms, NullModels, testing::Values(2, 64, 1024, 10'624));

/// The error of inputs of 11 bits is 2^12 / K of the unit of a sum of K terms: with real values it shows up to about
/// K = 1024 only. Hence the second seed.
TEST(ReducedPrecision, IsRejectedWithRealValuesOfShortSums) {
    for (const std::size_t terms : {16U, 64U, 256U, 1024U}) {
        const Product product = real(terms);
        for (const int bits : {8, 11}) {
            const Rounding rounded = [bits](float value) { return keep_bits(value, bits); };
            EXPECT_FALSE(judge(product, product.in_sequence(true, rounded, terms)).passed()) << terms << " " << bits;
        }
    }
}

TEST(ReducedPrecision, IsRejectedWithWholeNumbersOfAnySum) {
    for (const std::size_t terms : {1U, 2U, 64U, 1024U, 10'624U}) {
        const Product product = whole(terms);
        EXPECT_TRUE(judge(product, product.in_sequence(true, as_it_is, terms), true).passed()) << terms;
        EXPECT_TRUE(judge(product, product.by_lanes(), true).passed()) << terms;
        EXPECT_TRUE(judge(product, product.split(), true).passed()) << terms;
        const Rounding tf32 = [](float value) { return keep_bits(value, 11); };
        EXPECT_FALSE(judge(product, product.in_sequence(true, tf32, terms), true).passed()) << terms;
    }
}

TEST(LongSums, OfPositiveTermsAreAcceptedInSequence) {
    constexpr std::size_t terms = std::size_t{1} << 16;
    const Distribution uniform = of(Distribution::Kind::uniform, 0, 1);
    const Product product(terms, uniform, uniform, 3);
    EXPECT_TRUE(judge(product, product.in_sequence(false, as_it_is, terms)).passed());
}

TEST(LongSums, ADroppedTermShowsWithWholeNumbers) {
    const Product product = whole(4096);
    EXPECT_FALSE(judge(product, product.in_sequence(true, as_it_is, product.terms - 1), true).passed());
}

} // namespace
} // namespace cudabench::verify
