#include "verify/bound.h"

#include <algorithm>
#include <cmath>

namespace cudabench::verify {
namespace {

bool is_floating(Dtype dtype) {
    return dtype == Dtype::float32 || dtype == Dtype::float64;
}

} // namespace

double growth(double terms) {
    const double k = std::max(terms, 1.0);
    return std::sqrt(std::min(k, 4096.0)) + std::log2(k);
}

Bound make_bound(const Check& check, Dtype dtype, double terms, bool integer_seed, std::uint32_t poison_word) {
    const bool is_double = dtype == Dtype::float64;
    const double unit_roundoff = is_double ? 0x1p-53 : 0x1p-24;
    Bound bound;
    bound.dtype = dtype;
    bound.exact = check.exact || !is_floating(dtype) || (integer_seed && check.exact_on_integers);
    bound.magnitude_unit = unit_roundoff * growth(terms);
    bound.magnitude_factor = check.factor * bound.magnitude_unit;
    bound.value_factor = check.ulps * unit_roundoff;
    bound.smallest = is_double ? 0x1p-1022 : 0x1p-126;
    bound.rms_limit = bound.exact ? 0 : check.rms_factor;
    bound.poison_word = poison_word;
    return bound;
}

} // namespace cudabench::verify
