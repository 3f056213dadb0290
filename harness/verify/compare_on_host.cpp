#include "inputs/with_type.h"
#include "verify/compare.h"
#include "verify/judge.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cudabench::verify {
namespace {

/// Host memory of an output and its reference, without alignment.
template <typename T> class Elements {
public:
    explicit Elements(const Outputs& outputs) : outputs_(outputs) {
        if (outputs.got.size() != outputs.expected.size() || outputs.got.size() % sizeof(T) != 0 ||
            (!outputs.magnitude.empty() && outputs.magnitude.size() != outputs.got.size())) {
            throw std::invalid_argument("compare: output, reference and magnitude differ in size");
        }
    }

    [[nodiscard]] std::uint64_t count() const { return outputs_.got.size() / sizeof(T); }
    [[nodiscard]] T got(std::uint64_t index) const { return read(outputs_.got, index); }
    [[nodiscard]] T expected(std::uint64_t index) const { return read(outputs_.expected, index); }
    [[nodiscard]] T magnitude(std::uint64_t index) const {
        return read(outputs_.magnitude.empty() ? outputs_.expected : outputs_.magnitude, index);
    }

private:
    static T read(std::span<const std::byte> bytes, std::uint64_t index) {
        T value;
        std::memcpy(&value, &bytes[index * sizeof(T)], sizeof(T));
        return value;
    }

    const Outputs& outputs_;
};

template <typename T> Difference difference(const Judgement& judgement, std::uint64_t index, T expected, T got) {
    return {index, static_cast<double>(expected), static_cast<double>(got), judgement.allowed, judgement.unwritten};
}

template <typename T> Comparison compare(const Bound& bound, const Elements<T>& elements) {
    Comparison comparison;
    comparison.total = elements.count();
    comparison.rms_limit = bound.rms_limit;
    double squares = 0;
    for (std::uint64_t i = 0; i < comparison.total; ++i) {
        const Judgement judgement = judge(bound, i, elements.got(i), elements.expected(i), elements.magnitude(i));
        squares += judgement.units * judgement.units;
        comparison.worst_ratio = std::max(comparison.worst_ratio, judgement.ratio);
        if (judgement.matches) {
            continue;
        }
        ++comparison.mismatches;
        comparison.unwritten += judgement.unwritten ? 1 : 0;
        if (comparison.first.size() < Comparison::listed) {
            comparison.first.push_back(difference(judgement, i, elements.expected(i), elements.got(i)));
        }
    }
    comparison.rms = comparison.total == 0 ? 0 : std::sqrt(squares / static_cast<double>(comparison.total));
    return comparison;
}

} // namespace

Comparison compare_on_host(const Bound& bound, const Outputs& outputs) {
    return with_type(bound.dtype, [&](auto zero) { return compare(bound, Elements<decltype(zero)>(outputs)); });
}

Difference difference_on_host(const Bound& bound, const Outputs& element, std::uint64_t index) {
    return with_type(bound.dtype, [&](auto zero) {
        const Elements<decltype(zero)> one(element);
        const Judgement judgement = judge(bound, index, one.got(0), one.expected(0), one.magnitude(0));
        return difference(judgement, index, one.expected(0), one.got(0));
    });
}

} // namespace cudabench::verify
