#include "verify/compare.h"

#include <fmt/format.h>

#include <iterator>

namespace cudabench::verify {
namespace {

/// The shortest digits that tell the value from its neighbours in its dtype.
std::string number(double value, Dtype dtype) {
    switch (dtype) {
    case Dtype::float32: return fmt::format("{}", static_cast<float>(value));
    case Dtype::float64: return fmt::format("{}", value);
    default: return fmt::format("{:.0f}", value);
    }
}

std::string describe(const Difference& difference, Dtype dtype) {
    const std::string expected = number(difference.expected, dtype);
    if (difference.unwritten) {
        return fmt::format("[{}] expected {} but never written", difference.index, expected);
    }
    return fmt::format("[{}] expected {} got {} allowed {:.3g}", difference.index, expected,
                       number(difference.got, dtype), difference.allowed);
}

} // namespace

std::string describe(const Comparison& comparison, std::string_view output, Dtype dtype) {
    if (comparison.passed()) {
        return {};
    }
    if (comparison.mismatches == 0) {
        return fmt::format(
            "{}: root mean square error {:.3g} rounding units, at most {:.3g} allowed: the arithmetic is "
            "less precise than the task's",
            output, comparison.rms, comparison.rms_limit);
    }
    if (comparison.unwritten == comparison.total) {
        return fmt::format("{} was never written: all {} elements hold what they were filled with before", output,
                           comparison.total);
    }
    std::string text = fmt::format("{} of {} elements of {} differ", comparison.mismatches, comparison.total, output);
    if (comparison.unwritten != 0) {
        fmt::format_to(std::back_inserter(text), " ({} never written)", comparison.unwritten);
    }
    text += ", first: ";
    for (std::size_t i = 0; i < comparison.first.size(); ++i) {
        text += (i == 0 ? "" : "; ") + describe(comparison.first[i], dtype);
    }
    return text;
}

} // namespace cudabench::verify
